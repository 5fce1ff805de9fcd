import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Creates a folder and its parents. Node's `recursive` option does not return where the parent exists but nothing can be created
 * in it, as in `/proc`.
 * @throws with the system's reason
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
