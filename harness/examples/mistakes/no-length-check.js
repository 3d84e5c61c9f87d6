#!/usr/bin/env node
// Calls done what has come when the connection ends.
// shown by: cut
const fs = require("fs"), http = require("http")
const [url, output, folder] = process.argv.slice(2)
const part = folder + "/part"
http.get(url, answer => {
  if (answer.statusCode != 200) process.exit(1)
  const file = fs.openSync(part, "w")
  answer.on("data", piece => fs.writeSync(file, piece))
  answer.on("error", () => {})
  answer.on("close", () => fs.renameSync(part, output))
})
