// Folders for data, made by plain Node 20; the API's own are made in edge-api/src/folder.ts.
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder and those that it lies in. Node's own way (`recursive`) never comes back where the system lets nothing
 * be made though the folder above is there, as below `/proc`.
 * @param {string} folder
 * @throws with what the system says
 */
export function makeFolder(folder, mode = 0o777) {
  if (isFolder(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    // Another command may have been faster.
    if (!isFolder(folder)) throw error
  }
}

/** @param {string} folder */
const isFolder = folder => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
