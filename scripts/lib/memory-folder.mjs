// A folder in memory for the temporary files of tests. Databases sync every commit to the disk, and waiting for that took
// half of the time of `npm test`.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import path from 'node:path'

/** The file system in memory (statfs(2)). */
const TMPFS = 0x01021994
/** Several times what the suites of `npm test` need at once, in bytes. */
const ROOM = 2 * 1024 ** 3

/**
 * Creates a folder in memory that is removed when this process exits; `undefined` where there is no such file system or
 * not enough room, so that the disk is used.
 * @param {string} [at]
 * @param {number} [room] bytes that must be free
 * @returns {string | undefined}
 */
export function makeMemoryFolder(at = '/dev/shm', room = ROOM) {
  let folder
  try {
    const { type, bavail, bsize } = statfsSync(at)
    if (type !== TMPFS || Math.min(bavail * bsize, freemem()) < room) return
    folder = mkdtempSync(path.join(at, 'portal-tests-'))
  } catch {
    return
  }
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
