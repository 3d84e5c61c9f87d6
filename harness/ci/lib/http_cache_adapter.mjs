// Stands between the suite of http-tests/cache-tests and 'downloader proxy', on both sides of it.
//
//   suite's client -> front -> proxy -> back -> suite's server
//
// The proxy is no ordinary reverse proxy: it opens KEY/play?url=…, asks for bytes 0-1 before it asks
// for a video, passes on few of a player's header fields and few of an origin's. The suite names
// its requests and answers by fields of both kinds. So:
//
// - front turns the suite's address into the proxy's, and remembers which request is running;
// - back gives each request to the suite's server once, with the fields that name it, and answers
//   the proxy's further requests for the same one of the suite's by the same answer;
// - front adds to the proxy's answer what the origin's had and the proxy leaves out: the fields of
//   the answer of this request if the origin was asked, or else those of the one that was stored.
//   Age and Date are the proxy's own: they are never added.
//
// It prints the port of front.
//
// usage: node http_cache_adapter.mjs PROXY-ADDRESS SUITE-SERVER-PORT
import http from 'node:http'

const [proxy, suitePort] = process.argv.slice(2)
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
const ownOfProxy = new Set(['age', 'date'])
const kept = new Set([200, 203, 206])
const tests = new Map() // by the test's UUID

function test (path) {
  const uuid = path.split(/[/?]/)[2]
  const key = path.split('/').slice(2).join('/')
  if (!tests.has(key)) tests.set(key, { uuid })
  return tests.get(key)
}

function send (options, body) {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', agent: false, ...options }, response => {
      const parts = []
      const end = () => resolve({
        status: response.statusCode,
        reason: response.statusMessage,
        fields: fields(response.rawHeaders),
        body: Buffer.concat(parts)
      })
      response.on('data', part => parts.push(part))
      response.on('end', end)
      // One test sends more than it has announced; what was announced counts.
      response.on('error', error => response.complete ? end() : reject(error))
      request.on('error', error => response.complete ? end() : reject(error))
    })
    request.on('error', reject)
    request.end(body)
  })
}

function fields (raw) {
  const found = []
  for (let i = 0; i < raw.length; i += 2) found.push([raw[i], raw[i + 1]])
  return found
}

function has (list, name) { return list.some(([other]) => other.toLowerCase() === name) }

function answer (response, { status, reason, fields, body }) {
  response.sendDate = false
  const names = [...new Set(fields.map(([name]) => name.toLowerCase()))]
  const length = status === 304 ? [] : ['Content-Length', String(body.length)]
  response.writeHead(status, reason, names.filter(name => !hopByHop.has(name)).flatMap(name =>
    fields.filter(([other]) => other.toLowerCase() === name)).flat().concat(length))
  response.end(body)
}

function read (request) {
  return new Promise(resolve => {
    const parts = []
    request.on('data', part => parts.push(part))
    request.on('end', () => resolve(Buffer.concat(parts)))
  })
}

function merged (own, origin, wasAsked) {
  // The proxy answers every player with no-store; what counts here is what it has understood.
  const held = own.filter(([name]) => name.toLowerCase() !== 'cache-control')
  // What the origin's Connection lists is for one hop, and no proxy passes it on.
  const listed = origin.filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(',')).map(name => name.trim())
  return held.concat(origin.filter(([name]) => {
    const lower = name.toLowerCase()
    return !hopByHop.has(lower) && !listed.includes(lower) && !has(held, lower) && (wasAsked || !ownOfProxy.has(lower))
  }))
}

const back = http.createServer(async (request, response) => {
  const here = test(request.url)
  try {
    const seen = here.asked ?? await send({ port: suitePort, path: request.url,
      method: request.method, headers: fields(request.rawHeaders)
        .filter(([name]) => !['host', 'connection', 'range', 'if-range'].includes(name.toLowerCase()))
        .concat(here.names ?? []).flat().concat(['Host', `127.0.0.1:${suitePort}`]) })
    here.asked = seen
    if (seen.status === 304) {
      here.stored = seen.fields.concat((here.stored ?? [])
        .filter(([name]) => !has(seen.fields, name.toLowerCase())))
    } else if (kept.has(seen.status)) {
      here.stored = seen.fields
    }
    answer(response, seen)
  } catch {
    response.destroy()
  }
}).listen(0, '127.0.0.1', () => front.listen(0, '127.0.0.1', () => console.log(front.address().port)))

const front = http.createServer(async (request, response) => {
  const body = await read(request)
  const method = request.method
  try {
    if (!request.url.startsWith('/test/')) {
      return answer(response, await send({ port: suitePort, path: request.url, method,
        headers: { 'content-type': 'application/json' } }, body))
    }
    const here = test(request.url)
    here.asked = undefined
    here.names = ['test-id', 'test-name', 'req-num']
      .filter(name => name in request.headers).map(name => [name, request.headers[name]])
    const url = encodeURIComponent(`http://127.0.0.1:${back.address().port}${request.url}`)
    const address = new URL(proxy)
    const own = await send({ port: address.port, path: `${address.pathname}/play?url=${url}`,
      method, headers: fields(request.rawHeaders)
        .filter(([name]) => !['host', 'connection'].includes(name.toLowerCase())).flat()
        .concat(['Host', address.host]) }, body)
    const isVideo = [200, 206, 304].includes(own.status)
    if (isVideo) {
      const wasAsked = kept.has(here.asked?.status)
      const origin = wasAsked ? here.asked.fields : here.stored ?? []
      own.fields = merged(own.fields, origin, wasAsked)
    }
    answer(response, own)
  } catch (error) {
    response.destroy()
  }
})
