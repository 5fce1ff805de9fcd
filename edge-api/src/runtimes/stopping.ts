import process from 'node:process'
import type { Portal } from './process.ts'

/** Longest wait for the responses to requests in progress, in milliseconds. */
const RESPONSE_LIMIT_MS = 6000
/**
 * Longest wait for background work, in milliseconds. Together with the wait for responses, it is less than the ten seconds that
 * supervisors allow.
 */
const WORK_LIMIT_MS = 2000

/**
 * Stops the process on SIGTERM or SIGINT, or when its parent has ended: work in slices ends after the current slice, requests
 * in progress are answered, background work is finished, and the database is closed. Whatever exceeds its time limit is cut
 * off, which is safe, because it continues after the next start.
 * @param close stops listening; its promise resolves when every request in progress has its response
 */
export function stopOnSignal(portal: Portal, close: () => Promise<void>): void {
  onStop(async () => {
    const began = performance.now()
    portal.beginToStop()
    const answered = await succeedsWithin(RESPONSE_LIMIT_MS, close())
    const finished = await succeedsWithin(WORK_LIMIT_MS, portal.stop())
    portal.log({
      level: answered && finished ? 'info' : 'warn',
      event: 'stopped',
      answered,
      finished,
      ms: Math.round(performance.now() - began),
    })
    process.exit(0)
  })
}

/** Waits for work, but only up to a time limit. @returns false if the time ran out, or the work failed */
async function succeedsWithin(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  const succeeded = work.then(
    () => true,
    () => false,
  )
  return Promise.race([succeeded, timeout]).finally(() => clearTimeout(timer))
}

/** Calls `stop` only once, however many signals there are and wherever they come from. */
function onStop(stop: () => void): void {
  let isStopping = false
  const stopOnce = () => {
    if (!isStopping) stop()
    isStopping = true
  }
  process.on('SIGTERM', stopOnce)
  process.on('SIGINT', stopOnce)
  if (process.env.STOP_WITH_PARENT) process.stdin.resume().on('end', stopOnce).on('error', stopOnce)
}
