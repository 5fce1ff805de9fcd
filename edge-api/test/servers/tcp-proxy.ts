import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Returns the number of bytes sent to the target. */
  sent(): number
  /** Closes every connection and accepts none, until `restore` is called. */
  cut(): void
  restore(): void
  stop(): Promise<void>
}

/** Starts a proxy to a port of this machine, whose connections a test can cut. */
export function startTcpProxy(target: number): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let isOpen = true
  let sent = 0
  const server = createServer(client => {
    if (!isOpen) return void client.destroy()
    const upstream = connect(target, '127.0.0.1')
    client.on('data', chunk => {
      sent += chunk.length
    })
    for (const [source, destination] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(source)
      source.on('error', () => undefined)
      source.on('close', () => {
        open.delete(source)
        destination.destroy()
      })
      source.pipe(destination)
    }
  })
  const closeAll = () => {
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
          isOpen = false
          closeAll()
        },
        restore() {
          isOpen = true
        },
        stop() {
          closeAll()
          return new Promise(done => server.close(() => done()))
        },
      })
    })
  })
}
