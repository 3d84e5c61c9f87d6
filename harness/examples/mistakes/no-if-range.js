#!/usr/bin/env node
// Appends the rest of whatever the server has now.
// shown by: changed
const fs = require("fs"), http = require("http")
const [url, output, folder] = process.argv.slice(2)
const part = folder + "/part"
const get = () => {
  const done = fs.existsSync(part) ? fs.statSync(part).size : 0
  http.get(url, { headers: done ? { Range: `bytes=${done}-` } : {} }, answer => {
    if (answer.statusCode == 416) { fs.unlinkSync(part); answer.resume(); return get() }
    if (answer.statusCode != 200 && answer.statusCode != 206) process.exit(1)
    const file = fs.openSync(part, answer.statusCode == 206 ? "a" : "w")
    answer.on("data", piece => fs.writeSync(file, piece))
    answer.on("aborted", () => process.exit(1))
    answer.on("end", () => { if (answer.complete) fs.renameSync(part, output) })
  })
}
get()
