#!/usr/bin/env node
// Starts over each time, and renames what is whole.
const fs = require("fs"), http = require("http")
const [url, output, folder] = process.argv.slice(2)
const part = `${folder}/part-${process.pid}`
http.get(url, answer => {
  if (answer.statusCode != 200) process.exit(1)
  const file = fs.openSync(part, "w")
  answer.on("data", piece => fs.writeFileSync(file, piece))
  answer.on("close", () => {
    if (!answer.complete) { fs.unlinkSync(part); process.exit(1) }
    fs.fsyncSync(file)
    fs.renameSync(part, output)
  })
  answer.on("error", () => {})
})
