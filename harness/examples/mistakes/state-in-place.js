#!/usr/bin/env node
// Rewrites its state in place, and starts with an empty or half state after a kill.
// shown by: anywhere calls
const fs = require("fs"), http = require("http")
const [url, output, folder] = process.argv.slice(2)
const path = folder + "/state.json", part = folder + "/part"
const state = fs.existsSync(path) ? JSON.parse(fs.readFileSync(path)) : { done: 0 }
const headers = state.done ? { Range: `bytes=${state.done}-`, "If-Range": state.etag } : {}
http.get(url, { headers }, answer => {
  if (answer.statusCode == 200) state.done = 0
  state.etag = answer.headers.etag
  const file = fs.openSync(part, fs.existsSync(part) ? "r+" : "w")
  answer.on("data", piece => {
    fs.writeSync(file, piece, 0, piece.length, state.done)
    state.done += piece.length
    fs.writeFileSync(path, JSON.stringify(state))
  })
  answer.on("end", () => { fs.ftruncateSync(file, state.done); fs.renameSync(part, output) })
})
