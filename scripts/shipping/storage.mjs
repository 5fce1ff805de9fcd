// The places where `--to` can store releases: object storage (`s3://bucket/folder`), a server that accepts PUT (`https://…`),
// or a folder that is copied elsewhere afterwards.
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { AwsClient } from 'aws4fetch'
import { root } from '../lib/setup.mjs'
import { writeAtomically } from './folder.mjs'
import { Refusal } from './refusal.mjs'

/**
 * @typedef {object} Stored
 * @property {Uint8Array} bytes
 * @property {string | undefined} version the file's ETag
 *
 * @typedef {object} Storage
 * @property {(file: string) => Promise<Stored | undefined>} get
 * @property {(file: string, bytes: Uint8Array, options: { type: string, cache: string, replaces?: Stored | null }) => Promise<void>} put
 *   `replaces`: the stored file that this one replaces, or null for a new file. If the storage has another file, the command
 *   is refused.
 */

/** How long a request may take, in milliseconds. A file has a few megabytes at most. */
const TIMEOUT_MS = 60_000

const CONFLICT = 'Someone else released there at the same time. Nothing is live yet: run the command again.'

/**
 * Returns a storage that is accessed over HTTP.
 * @param {string} base address without a trailing slash
 * @param {(address: string, init: RequestInit) => Promise<Response>} request
 * @returns {Storage}
 */
function httpStorage(base, request) {
  const urlOf = file => `${base}/${file}`
  /** @param {string} file @param {RequestInit} init */
  const send = async (file, init) => {
    try {
      return await request(urlOf(file), { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    } catch (error) {
      const { cause } = /** @type {{ cause?: { code?: string } }} */ (error)
      throw new Refusal(`${base} cannot be reached (${cause?.code ?? error}). Nothing new is live.`)
    }
  }
  return {
    async get(file) {
      const response = await send(file, {})
      if (response.ok)
        return {
          bytes: new Uint8Array(await response.arrayBuffer()),
          version: response.headers.get('etag') ?? undefined,
        }
      // Only 404 means that the file is missing. With 403, storage reports a refused key, but also a missing file if the key
      // has no right to list files.
      if (response.status === 404) return undefined
      throw new Refusal(`${urlOf(file)} cannot be read (HTTP ${response.status}).`)
    },
    async put(file, bytes, { type, cache, replaces }) {
      const condition =
        replaces === null ? { 'If-None-Match': '*' } : replaces?.version && { 'If-Match': replaces.version }
      const headers = { 'Content-Type': type, 'Cache-Control': cache, ...condition }
      const response = await send(file, { method: 'PUT', body: Buffer.from(bytes), headers })
      if (response.status === 412 || response.status === 409) throw new Refusal(CONFLICT)
      if (!response.ok) throw new Refusal(`${urlOf(file)} cannot be written (HTTP ${response.status}).`)
    },
  }
}

/**
 * Returns a storage in a folder.
 * @param {string} folder
 * @returns {Storage}
 */
const folderStorage = folder => ({
  async get(file) {
    const bytes = await readFile(path.join(folder, file)).catch(() => undefined)
    return bytes && { bytes, version: undefined }
  },
  async put(file, bytes) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeAtomically(path.join(folder, file), bytes, { durable: true })
  },
})

/**
 * Opens the storage that `--to` names.
 * @param {string} target
 * @param {Record<string, string | undefined>} environment the usual `AWS_` variables for `s3://`, `RELEASES_AUTHORIZATION` for `https://`
 * @returns {Storage}
 * @throws {Refusal}
 */
export function createStorage(target, environment = process.env) {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(target) ?? []
  if (bucket) {
    const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: session } = environment
    if (!id || !secret)
      throw new Refusal(`Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to release to ${target}.`)
    const region = environment.AWS_REGION || 'auto'
    const endpoint =
      environment.AWS_ENDPOINT_URL_S3 ||
      environment.AWS_ENDPOINT_URL ||
      (region === 'auto' ? undefined : `https://s3.${region}.amazonaws.com`)
    if (!endpoint)
      throw new Refusal(
        'Set AWS_REGION, or AWS_ENDPOINT_URL_S3 for storage other than Amazon S3, such as R2.',
      )
    const client = new AwsClient({
      accessKeyId: id,
      secretAccessKey: secret,
      ...(session && { sessionToken: session }),
      service: 's3',
      region,
    })
    const base = [endpoint.replace(/\/+$/, ''), bucket, prefix.replace(/\/+$/, '')].filter(Boolean).join('/')
    return httpStorage(base, async (address, init) => {
      const { signal, ...rest } = init
      return await fetch(await client.sign(address, rest), signal ? { signal } : {})
    })
  }
  if (/^https?:\/\//.test(target) && URL.canParse(target)) {
    const { RELEASES_AUTHORIZATION: authorization } = environment
    return httpStorage(target.replace(/\/+$/, ''), (address, init) =>
      fetch(address, {
        ...init,
        redirect: 'error',
        headers: { ...init.headers, ...(authorization && { Authorization: authorization }) },
      }),
    )
  }
  if (/^\w+:\/\//.test(target))
    throw new Refusal(`--to ${target}: use s3://bucket/folder, https://host/folder, or a folder.`)
  return folderStorage(path.resolve(root, target))
}
