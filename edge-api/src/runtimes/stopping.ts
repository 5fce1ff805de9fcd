import process from 'node:process'
import type { Portal } from './process.ts'

/** Longest wait for the answers of requests under way, in milliseconds. */
const ANSWERS = 6000
/** Longest wait for what goes on in the background; with the answers less than the ten seconds that supervisors give. */
const WORK = 2000

/**
 * Stops the process on SIGTERM or SIGINT, or when the one that started it has ended: work that goes on in slices ends
 * with the present one, requests under way are answered, what was begun in the background is finished, and the database
 * is closed. Whatever takes longer than its time is cut off, which it bears: it goes on after the next start.
 * @param close stops listening; resolves when every request under way has its answer
 */
export function stopOnSignal(portal: Portal, close: () => Promise<void>): void {
  onStop(async () => {
    const began = performance.now()
    portal.beginToStop()
    const answered = await within(ANSWERS, close())
    const finished = await within(WORK, portal.stop())
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

/** @returns false when the time was over first, or the work failed */
async function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  const done = work.then(
    () => true,
    () => false,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

/** Calls `stop` once, for any number of signals from any source. */
function onStop(stop: () => void): void {
  let stopping = false
  const once = () => {
    if (!stopping) stop()
    stopping = true
  }
  process.on('SIGTERM', once)
  process.on('SIGINT', once)
  if (process.env.STOP_WITH_PARENT) process.stdin.resume().on('end', once).on('error', once)
}
