import process from 'node:process'

/** The first inherited file descriptor: it follows standard input, output and error. */
const FIRST_PASSED_DESCRIPTOR = 3

/**
 * Returns the descriptor of the listening socket that systemd passes to this process (sd_listen_fds(3)). The socket stays open
 * during a restart, so that new connections wait in it.
 */
export function inheritedSocket(environment: NodeJS.ProcessEnv = process.env): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = environment
  return LISTEN_FDS === '1' && Number(LISTEN_PID) === process.pid ? FIRST_PASSED_DESCRIPTOR : undefined
}
