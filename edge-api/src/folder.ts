import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Creates a folder and its parents. Node's `recursive` option is not used, because it never returns if the parent exists but
 * nothing can be created in it, as in `/proc`.
 * @throws the system's error, with the reason
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
