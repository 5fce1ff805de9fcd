// Runs commands on a releases folder that is stored elsewhere (`--to`): the files that a command needs are copied into a
// temporary folder, the command runs there as in any releases folder, and its changes are written back, the pointer last.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { contentTypes } from '../lib/static-server.mjs'
import { filesOf } from './folder.mjs'
import { readLog } from './log.mjs'
import { readPointer } from './pointer.mjs'
import { Refusal } from './refusal.mjs'

/** @typedef {import('./storage.mjs').Storage} Storage */

/** The file with the names of all files of a release. It is stored last, so a release is only complete if it exists. */
const LIST_FILE = 'files.json'
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** The files that change, in the order in which they are written: a pointer must never name a file that does not exist yet. */
const MUTABLE_FILES = ['shipments.jsonl', 'remotes.json']
/** The maximum number of releases of a micro-frontend that are available to a command, for example for a rollback. */
const MAX_RELEASES = 10

const contentTypeOf = file =>
  contentTypes[path.extname(file.replace(/\.(?:br|gz)$/, ''))] ?? 'application/octet-stream'

/** @param {string} folder @param {string} file @param {Uint8Array | string} bytes */
async function write(folder, file, bytes) {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
  await writeFile(path.join(folder, file), bytes)
}

/**
 * Copies a release from the storage, if it is complete there.
 * @param {Storage} storage
 * @param {string} folder
 * @param {string} releasePath `mfe-admin/9b20bc6fac3c`
 */
async function pull(storage, folder, releasePath) {
  const list = await storage.get(`${releasePath}/${LIST_FILE}`)
  if (!list) return false
  const names = JSON.parse(Buffer.from(list.bytes).toString())
  if (!Array.isArray(names) || names.some(name => !/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(name)))
    throw new Refusal(`${releasePath}/${LIST_FILE} is damaged. Nothing was changed.`)
  for (const name of names) {
    const file = await storage.get(`${releasePath}/${name}`)
    if (file) await write(folder, `${releasePath}/${name}`, file.bytes)
  }
  return true
}

/**
 * Copies a complete release to the storage. Compressed copies are separate files there, so that any static origin can serve
 * them.
 * @param {Storage} storage
 * @param {string} folder
 * @param {string} releasePath
 */
async function push(storage, folder, releasePath) {
  const base = path.join(folder, releasePath)
  const names = filesOf(base).map(file => path.relative(base, file).split(path.sep).join('/'))
  for (const name of names)
    await storage.put(`${releasePath}/${name}`, await readFile(path.join(base, name)), {
      type: contentTypeOf(name),
      cache: IMMUTABLE,
    })
  await storage.put(`${releasePath}/${LIST_FILE}`, Buffer.from(JSON.stringify(names)), {
    type: 'application/json',
    cache: IMMUTABLE,
  })
}

/**
 * Returns the releases of a micro-frontend that a command can use, such as `mfe-admin/9b20bc6fac3c`.
 * @param {string} folder @param {string} app
 */
async function listUsableReleases(folder, app) {
  const [log, remotes] = [await readLog(folder), await readPointer(folder)]
  const live = remotes
    .filter(({ name }) => name === app)
    .flatMap(item => [item.release, item.canary?.release])
  const logged = log.filter(line => line.app === app && line.entry).map(({ release }) => release)
  const ids = new Set([...live, ...logged.reverse()].filter(Boolean))
  return [...ids].slice(0, MAX_RELEASES).map(id => `${app}/${id}`)
}

/**
 * Runs a command with the releases of a target.
 * @template T
 * @param {Storage} storage
 * @param {{ app: string, shell: string }} options `shell`: a releases folder with the portal's shell, if the target does not have it
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function runAtTarget(storage, { app, shell }, work) {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-target-'))
  try {
    /** @type {Map<string, import('./storage.mjs').Stored | undefined>} */
    const before = new Map()
    for (const file of MUTABLE_FILES) {
      const stored = await storage.get(file)
      before.set(file, stored)
      if (stored) await write(folder, file, stored.bytes)
    }
    const storedShell = (await storage.get('shell.json'))?.bytes
    const localShellFile = path.join(shell, 'shell.json')
    if (storedShell || existsSync(localShellFile)) {
      await write(folder, 'shell.json', storedShell ?? (await readFile(localShellFile)))
      await write(folder, 'shell/index.html', '')
    }
    const pulled = new Set()
    for (const releasePath of await listUsableReleases(folder, app))
      if (await pull(storage, folder, releasePath)) pulled.add(releasePath)
    const result = await work(folder)
    for (const releasePath of await listUsableReleases(folder, app))
      if (!pulled.has(releasePath) && existsSync(path.join(folder, releasePath)))
        await push(storage, folder, releasePath)
    for (const file of MUTABLE_FILES) {
      const bytes = await readFile(path.join(folder, file)).catch(() => undefined)
      const previous = before.get(file)
      if (!bytes || (previous && bytes.equals(previous.bytes))) continue
      await storage.put(file, bytes, {
        type: contentTypeOf(file),
        cache: 'no-cache',
        replaces: previous ?? null,
      })
    }
    return result
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Records the shell that the portal serves, so that teams can check their releases against it.
 * @param {Storage} storage
 * @param {string} folder of releases
 */
export async function recordShell(storage, folder) {
  const bytes = await readFile(path.join(folder, 'shell.json')).catch(() => undefined)
  if (!bytes) throw new Refusal('There is no shell yet: `npm start` builds it.')
  await storage.put('shell.json', bytes, { type: 'application/json', cache: 'no-cache' })
  return [`${JSON.parse(bytes.toString()).release} is the shell that releases there must fit.`]
}
