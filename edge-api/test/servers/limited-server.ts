import process from 'node:process'
import { listen } from '../../src/listener/listen.ts'

/*
 * A server with short limits for its connections, for tests on each runtime. It prints its port, then a line for each request
 * that was aborted.
 */

const limits = { head: 1000, nextRequest: 1000, silence: 3000 }
const print = (line: string) => process.stdout.write(`${line}\n`)
const endlessStream = () =>
  new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(64 * 1024)) })

const server = await listen({
  hostname: '127.0.0.1',
  port: 0,
  limits,
  fetch(request, peer) {
    const { pathname } = new URL(request.url)
    request.signal.addEventListener('abort', () => print(`broken off: ${pathname}`))
    if (pathname === '/complete-template') return new Response(new Uint8Array(50_000_000))
    if (pathname === '/stream') return new Response(endlessStream())
    return new Response(`from ${peer}`)
  },
})
print(String(server.port))
