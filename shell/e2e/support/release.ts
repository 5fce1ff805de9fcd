import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { RemotePointer, RemotesConfig } from '@portal/contract/remote'
import type { BrowserContext } from 'playwright-core'
import { readJson, releasesFolder } from '../../../scripts/shipping/folder.mjs'
import { sri } from '../../../scripts/shipping/sri.mjs'
import { portal } from './portal.ts'

export async function fetchRemotesConfig(targetPortal = portal()): Promise<RemotesConfig> {
  const response = await fetch(`${targetPortal.url}/config/remotes.json`)
  if (!response.ok) throw new Error(`remotes.json: ${response.status}`)
  return response.json()
}

/** The live release of a micro-frontend, to be read or, in a copy, changed. */
export class Release {
  private readonly replacements = new Map<string, string>()
  /** The folder that contains the release's files. */
  readonly folder: string
  /** The path of the release: `/r/<name>/<release>/`. */
  readonly urlPath: string
  /** The name of the entry file in `folder`. */
  readonly entry: string

  private constructor(folder: string, urlPath: string, entry: string) {
    this.folder = folder
    this.urlPath = urlPath
    this.entry = entry
  }

  /** Reads the live release. @param releases the releases folder that the portal serves */
  static async readLive(name: string, releases = releasesFolder()): Promise<Release> {
    const config: RemotesConfig = await readJson(path.join(releases, 'remotes.json'))
    const remote = config.remotes.find(item => item.name === name)
    if (!remote?.release) throw new Error(`remotes.json names no ${name}`)
    const folder = path.join(releases, name, remote.release)
    const manifest = await readJson(path.join(folder, 'mf-manifest.json'))
    return new Release(folder, `/r/${name}/${remote.release}/`, manifest.metaData.remoteEntry.name)
  }

  async readFile(file: string): Promise<string> {
    return this.replacements.get(file) ?? readFile(path.join(this.folder, file), 'utf8')
  }

  /** Returns the names of the chunks that the entry can load. */
  private listChunks(): string[] {
    return readdirSync(path.join(this.folder, 'js'))
      .filter(name => name.endsWith('.js'))
      .map(name => `js/${name}`)
  }

  /** Returns the chunk whose code matches. @throws unless there is exactly one */
  async chunkWith(pattern: RegExp): Promise<string> {
    const found: string[] = []
    for (const name of this.listChunks()) if (pattern.test(await this.readFile(name))) found.push(name)
    const [chunk] = found
    if (!chunk || found.length > 1) throw new Error(`${pattern} is in ${found.length} chunks`)
    return chunk
  }

  /** Replaces the code of a chunk; the entry then has the hash of that code, as in a build. */
  async replaceChunk(file: string, code: string): Promise<void> {
    const [entry, before] = await Promise.all([this.readFile(this.entry), this.readFile(file)])
    if (!entry.includes(sri(before))) throw new Error(`the entry does not pin ${file}`)
    this.replacements.set(file, code)
    this.replacements.set(this.entry, entry.replace(sri(before), sri(code)))
  }

  /** Replaces the entry's code; the pointer to the copy then has its hash. */
  replaceEntry(code: string): void {
    this.replacements.set(this.entry, code)
  }

  /** Gives the copy another global name, because a build has a different one for each release. */
  async rename(id: string): Promise<void> {
    const currentId = this.urlPath.split('/').at(-2) ?? ''
    for (const file of this.listChunks()) {
      await this.replaceChunk(file, (await this.readFile(file)).replaceAll(`_${currentId}`, `_${id}`))
    }
    this.replacements.set(this.entry, (await this.readFile(this.entry)).replaceAll(`_${currentId}`, `_${id}`))
  }

  replacementOf(name: string): string | undefined {
    return this.replacements.get(name)
  }

  /** The changed files, by their names in `folder`. */
  get replacedFiles(): ReadonlyMap<string, string> {
    return this.replacements
  }
}

/**
 * Serves a changed copy of the live release to one browser under another release name, and points that browser's remotes.json
 * to it. Everything has an integrity hash, as in a real release. `rollBack()` restores remotes.json.
 * @param changes other changes to its entry in remotes.json
 */
export async function serveRelease(
  context: BrowserContext,
  name: string,
  id: string,
  alter: (release: Release) => Promise<void>,
  changes: Partial<RemotePointer> = {},
): Promise<{ rollBack(): Promise<void> }> {
  const release = await Release.readLive(name)
  await alter(release)
  await release.rename(id)
  const urlPath = `/r/${name}/${id}/`
  const config = await fetchRemotesConfig()
  const entry = sri(await release.readFile(release.entry))
  const manifest = `${urlPath}mf-manifest.json`
  const remotes = config.remotes.map(remote =>
    remote.name === name && remote.integrity
      ? { ...remote, release: id, manifest, integrity: { ...remote.integrity, entry }, ...changes }
      : remote,
  )
  await context.route(`**${urlPath}**`, async route => {
    const file = new URL(route.request().url()).pathname.slice(urlPath.length)
    const body = release.replacementOf(file)
    if (body !== undefined) return route.fulfill({ body, contentType: 'text/javascript' })
    return route.fulfill({ response: await route.fetch({ url: portal().url + release.urlPath + file }) })
  })
  await context.route('**/config/remotes.json', route =>
    route.fulfill({ json: { ...config, revision: id, remotes } }),
  )
  return { rollBack: () => context.unroute('**/config/remotes.json') }
}
