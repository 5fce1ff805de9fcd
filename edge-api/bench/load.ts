import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

/** A server's throughput under load in requests per second, and percentiles of the response time in milliseconds. */
export interface Load {
  perSecond: number
  /** Requests per second of the server's CPU time, which other load on the machine does not affect. */
  perCpuSecond: number
  p50: number
  p99: number
}

export interface LoadOptions {
  /** ID of the server's process. */
  pid: number
  /** `http://host:port/path`. */
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Concurrent requests, each on its own persistent connection. */
  connections?: number
  /** Number of requests sent before measuring, until the runtime has compiled the code in use. */
  warmUp: number
  /** Number of requests that are measured. */
  requests: number
}

/** Returns the CPU time of a process in seconds, across all its threads, or 0 if the system does not report it. */
export function cpuTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // utime and stime, in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}

const END_OF_HEAD = '\r\n\r\n'

/** Returns the length in bytes of the first response in `text` (latin1), or 0 while that response is incomplete. */
function responseLength(text: string): number {
  const head = text.indexOf(END_OF_HEAD)
  if (head < 0) return 0
  const start = head + END_OF_HEAD.length
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]
  if (length !== undefined) return text.length >= start + Number(length) ? start + Number(length) : 0
  const lastChunkStart = text.indexOf('\r\n0\r\n\r\n', head)
  return lastChunkStart < 0 ? 0 : lastChunkStart + 7
}

/**
 * Repeats the same request over plain sockets. This client needs little CPU time, so the server is the bottleneck.
 * @throws if a response is not a success
 */
async function load({
  pid,
  url,
  method = 'GET',
  headers = {},
  body = '',
  connections = 16,
  warmUp,
  requests,
}: LoadOptions): Promise<Load> {
  const { hostname, port, pathname, search, host } = new URL(url)
  const lines = Object.entries({
    host,
    ...headers,
    ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
  })
  const request = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
  const durations: number[] = []
  let completed = 0
  let began = 0
  let cpuBefore = 0
  await Promise.all(
    Array.from({ length: connections }, () => {
      return new Promise<void>((resolve, reject) => {
        const socket = connect({ host: hostname, port: Number(port), noDelay: true })
        let sentAt = 0
        let received = ''
        const send = () => {
          sentAt = performance.now()
          socket.write(request)
        }
        socket.setEncoding('latin1')
        socket.on('connect', send)
        socket.on('error', reject)
        socket.on('data', (chunk: string) => {
          received += chunk
          const length = responseLength(received)
          if (length === 0) return
          if (!/^HTTP\/1\.1 20/.test(received)) {
            socket.destroy()
            return reject(new Error(`${url}: ${received.slice(0, 400)}`))
          }
          received = received.slice(length)
          const now = performance.now()
          completed++
          if (completed > warmUp) durations.push(now - sentAt)
          if (completed === warmUp) {
            began = now
            cpuBefore = cpuTime(pid)
          }
          if (completed < warmUp + requests) return send()
          socket.end()
          resolve()
        })
      })
    }),
  )
  const cpuSeconds = cpuTime(pid) - cpuBefore
  const perSecond = (durations.length * 1000) / (performance.now() - began)
  durations.sort((a, b) => a - b)
  const durationAt = (share: number) =>
    durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? 0
  return {
    perSecond,
    perCpuSecond: cpuSeconds > 0 ? durations.length / cpuSeconds : perSecond,
    p50: durationAt(0.5),
    p99: durationAt(0.99),
  }
}

/** Rounds of `measureRatesInTurn`, and the uncounted requests that each round sends first, as a share of the counted ones. */
const ROUNDS = 7
const WARM_UP_SHARE = 0.1

/**
 * Measures calls in turn, over several rounds, so that other work on the machine affects all of them. All are warmed up first.
 * @returns for each call, the requests per second of CPU time, over all rounds together. A single round is too short: the
 * system counts CPU time in hundredths of a second, which can be a tenth of the CPU time of a round
 */
export async function measureRatesInTurn(
  requests: number,
  targets: readonly Pick<LoadOptions, 'pid' | 'url' | 'headers'>[],
): Promise<number[]> {
  for (const target of targets) await load({ ...target, warmUp: requests, requests: 1 })
  const counted = Math.ceil((requests * 2) / ROUNDS)
  const uncounted = Math.ceil(counted * WARM_UP_SHARE)
  const cpuSeconds = targets.map(() => 0)
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, target] of targets.entries()) {
      const { perCpuSecond } = await load({ ...target, warmUp: uncounted, requests: counted })
      cpuSeconds[index] = (cpuSeconds[index] ?? 0) + counted / perCpuSecond
    }
  return cpuSeconds.map(seconds => (counted * ROUNDS) / seconds)
}
