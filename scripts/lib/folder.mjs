// Creates data folders on plain Node 20. The API has its own version of this: edge-api/src/folder.ts.
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Creates a folder and its parents. Node's `recursive` option hangs where the parent exists but nothing can be created,
 * as below `/proc`.
 * @param {string} folder
 * @throws the system's error
 */
export function makeFolder(folder, mode = 0o777) {
  if (isFolder(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    // Another command may have created it.
    if (!isFolder(folder)) throw error
  }
}

/** @param {string} folder */
const isFolder = folder => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
