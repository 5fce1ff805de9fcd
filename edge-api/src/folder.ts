import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Creates a folder and its parents. Node's `recursive` option never returns if the system allows nothing to be created although
 * the parent exists, as below `/proc`.
 * @throws with the system's reason
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
