import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Returns the number of bytes that clients have sent to the target. */
  countSentBytes(): number
  /** Closes every connection and accepts none, until `restore` is called. */
  cut(): void
  restore(): void
  stop(): Promise<void>
}

/** Starts a proxy to a port of this machine, whose connections a test can cut. */
export function startTcpProxy(target: number): Promise<TcpProxy> {
  const openSockets = new Set<Socket>()
  let isOpen = true
  let sentBytes = 0
  const server = createServer(client => {
    if (!isOpen) return void client.destroy()
    const upstream = connect(target, '127.0.0.1')
    client.on('data', chunk => {
      sentBytes += chunk.length
    })
    for (const [source, destination] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      openSockets.add(source)
      source.on('error', () => undefined)
      source.on('close', () => {
        openSockets.delete(source)
        destination.destroy()
      })
      source.pipe(destination)
    }
  })
  const closeAll = () => {
    for (const socket of openSockets) socket.destroy()
  }
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        countSentBytes: () => sentBytes,
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
