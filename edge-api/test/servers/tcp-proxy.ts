import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Bytes sent towards the target. */
  sent(): number
  /** Closes every connection and accepts none, until `restore`. */
  cut(): void
  restore(): void
  stop(): Promise<void>
}

/** A proxy to a port of this machine, whose connections a test can cut. */
export function startTcpProxy(target: number): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let whole = true
  let sent = 0
  const server = createServer(near => {
    if (!whole) return void near.destroy()
    const far = connect(target, '127.0.0.1')
    near.on('data', chunk => {
      sent += chunk.length
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        sent: () => sent,
        cut() {
          whole = false
          breakAll()
        },
        restore() {
          whole = true
        },
        stop() {
          breakAll()
          return new Promise(done => server.close(() => done()))
        },
      })
    })
  })
}
