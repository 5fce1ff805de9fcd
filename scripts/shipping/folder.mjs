// Reads the releases folder, and writes it atomically. `RELEASES_FOLDER` changes its location (default `releases/`).
import { readdirSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '../lib/folder.mjs'
import { root } from '../lib/setup.mjs'

/**
 * Returns the location of the releases folder.
 * @returns {string}
 */
export const releasesFolder = (environment = process.env) =>
  path.resolve(root, environment.RELEASES_FOLDER || 'releases')

/**
 * Writes a file atomically: writes a temporary file and renames it.
 * @param {string} file
 * @param {string | Uint8Array} content
 * @param {{ durable?: boolean }} [options] `durable`: flushes before the rename, so that a power failure leaves no empty file
 */
export async function writeAtomically(file, content, { durable = false } = {}) {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, content, { flush: durable })
  await rename(draft, file)
}

/**
 * Returns the content of a JSON file, or undefined if it is missing or invalid.
 * @param {string} file
 */
export async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Returns the paths of all files below a folder, including the folder.
 * @param {string} folder
 */
export const filesOf = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))

/**
 * Returns whether a process with this ID is running.
 * @param {number} pid
 */
const isAlive = pid => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Runs `work` while holding a lock. A lock that was left behind by a killed process is taken over.
 * @template T
 * @param {string} lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(lock, work) {
  makeFolder(path.dirname(lock))
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const holder = Number(await readFile(lock, 'utf8').catch(() => '0'))
      if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true })
      else await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}
