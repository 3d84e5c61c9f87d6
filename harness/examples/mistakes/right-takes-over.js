#!/usr/bin/env node
// Goes on with the part of a process that is gone, which it takes over by giving it its own name.
const crypto = require("crypto"), fs = require("fs"), http = require("http"), path = require("path")
const [url, output, folder] = process.argv.slice(2)
const fail = words => { console.error(words); process.exit(1) }
const alive = pid => { try { process.kill(pid, 0); return true } catch { return false } }
// A part's name: the address and the version, then the process that writes it.
const key = etag => crypto.createHash("sha256").update(`${url} ${etag}`).digest("hex")
const own = etag => path.join(folder, `${key(etag)}.${process.pid}`)
const head = http.request(url, { method: "HEAD" }, answer => {
  if (answer.statusCode != 200) fail(`status ${answer.statusCode}`)
  const etag = answer.headers.etag
  answer.resume()
  for (const name of fs.readdirSync(folder)) {
    const [hash, pid] = name.split(".")
    if (hash != key(etag) || alive(Number(pid))) continue
    try { fs.renameSync(path.join(folder, name), own(etag)); break } catch {}
  }
  // The last piece may have been under way when the power was cut.
  const size = fs.existsSync(own(etag)) ? fs.statSync(own(etag)).size : 0
  fetch(etag, Math.max(0, size - 65536))
})
head.on("error", error => fail(error.message)).end()
function fetch(etag, done) {
  const headers = done ? { Range: `bytes=${done}-`, "If-Range": etag } : {}
  http.get(url, { headers }, answer => {
    const range = answer.headers["content-range"] || ""
    const isRest = answer.statusCode == 206 && range.startsWith(`bytes ${done}-`)
    if (!isRest && answer.statusCode != 200) {
      answer.destroy()
      return done ? fetch(etag, 0) : fail(`status ${answer.statusCode}`)
    }
    if (answer.headers.etag != etag) fail("another version: start again")
    // Each piece is on the disk before the next one is written.
    const { O_CREAT, O_SYNC, O_WRONLY } = fs.constants
    const file = fs.openSync(own(etag), O_CREAT | O_SYNC | O_WRONLY)
    let end = isRest ? done : 0
    fs.ftruncateSync(file, end)
    answer.on("data", piece => {
      // A full disk takes a part of a piece, and refuses the next one.
      for (let at = 0; at < piece.length;) {
        const count = fs.writeSync(file, piece, at, piece.length - at, end)
        at += count
        end += count
      }
    })
    answer.on("error", () => {})
    answer.on("close", () => {
      fs.fsyncSync(file)
      if (!answer.complete) fail("cut")
      fs.renameSync(own(etag), output)
    })
  }).on("error", error => fail(error.message))
}
