import { createHash } from 'node:crypto'
import type { RemotesConfig } from '@portal/contract/remote'
import type { BrowserContext } from 'playwright-core'
import { portal } from './portal.ts'

/** A hash as pointers and entries name it. */
export const sri = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`

/** A file of the portal under test, as text. @throws when it is not there */
async function served(path: string): Promise<string> {
  const answer = await fetch(portal().url + path)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.text()
}

async function pointer(): Promise<RemotesConfig> {
  return JSON.parse(await served('/config/remotes.json'))
}

/** The live release of a micro-frontend, to be read and, in a copy of its own, altered. */
export class Release {
  private readonly replaced = new Map<string, string>()
  /** `/r/<name>/<release>/` */
  readonly folder: string
  /** Name of the entry in `folder`. */
  readonly entry: string

  private constructor(folder: string, entry: string) {
    this.folder = folder
    this.entry = entry
  }

  static async live(name: string): Promise<Release> {
    const remote = (await pointer()).remotes.find(one => one.name === name)
    if (!remote) throw new Error(`remotes.json names no ${name}`)
    const manifest = JSON.parse(await served(remote.manifest))
    return new Release(remote.manifest.replace(/[^/]+$/, ''), manifest.metaData.remoteEntry.name)
  }

  async text(file: string): Promise<string> {
    return this.replaced.get(file) ?? served(this.folder + file)
  }

  /** Names of the chunks that the entry can load. */
  private async chunks(): Promise<string[]> {
    // The entry builds names as `js/<id or name>.<hash>.js` from a table of hashes; styles have a table like it.
    const entry = await this.text(this.entry)
    const [exposed = ''] = /__federation_expose_\w+/.exec(entry) ?? []
    const hashes = [...entry.matchAll(/["']?(\w+)["']?:"([0-9a-f]{10})"/g)]
    const names = new Set(
      hashes.flatMap(([, id, hash]) => [id, exposed].map(name => `js/${name}.${hash}.js`)),
    )
    const there = await Promise.all(
      [...names].map(name =>
        this.text(name).then(
          () => name,
          () => '',
        ),
      ),
    )
    return there.filter(name => name !== '')
  }

  /** The chunk whose code matches. @throws unless there is exactly one */
  async chunkWith(pattern: RegExp): Promise<string> {
    const found: string[] = []
    for (const name of await this.chunks()) if (pattern.test(await this.text(name))) found.push(name)
    const [only] = found
    if (!only || found.length > 1) throw new Error(`${pattern} is in ${found.length} chunks`)
    return only
  }

  /** Puts other code in a chunk's place; the entry then pins that code, as a build would have it. */
  async replaceChunk(file: string, code: string): Promise<void> {
    const [entry, before] = await Promise.all([this.text(this.entry), this.text(file)])
    if (!entry.includes(sri(before))) throw new Error(`the entry does not pin ${file}`)
    this.replaced.set(file, code)
    this.replaced.set(this.entry, entry.replace(sri(before), sri(code)))
  }

  /** Gives the copy a name of its own in the page, as a build gives each release. */
  async rename(id: string): Promise<void> {
    const own = this.folder.split('/').at(-2) ?? ''
    for (const file of await this.chunks()) {
      await this.replaceChunk(file, (await this.text(file)).replaceAll(`_${own}`, `_${id}`))
    }
    this.replaced.set(this.entry, (await this.text(this.entry)).replaceAll(`_${own}`, `_${id}`))
  }

  file(name: string): string | undefined {
    return this.replaced.get(name)
  }
}

/**
 * Serves an altered copy of the live release to one browser under a release name of its own, and points its
 * remotes.json there. Everything is pinned as a real release would be. `rollBack()` gives the pointer back.
 */
export async function serveRelease(
  context: BrowserContext,
  name: string,
  id: string,
  alter: (release: Release) => Promise<void>,
): Promise<{ rollBack(): Promise<void> }> {
  const release = await Release.live(name)
  await alter(release)
  await release.rename(id)
  const folder = `/r/${name}/${id}/`
  const config = await pointer()
  const entry = sri(await release.text(release.entry))
  const remotes = config.remotes.map(remote =>
    remote.name === name && remote.integrity
      ? { ...remote, manifest: `${folder}mf-manifest.json`, integrity: { ...remote.integrity, entry } }
      : remote,
  )
  await context.route(`**${folder}**`, async route => {
    const file = new URL(route.request().url()).pathname.slice(folder.length)
    const body = release.file(file)
    if (body !== undefined) return route.fulfill({ body, contentType: 'text/javascript' })
    return route.fulfill({ response: await route.fetch({ url: portal().url + release.folder + file }) })
  })
  await context.route('**/config/remotes.json', route =>
    route.fulfill({ json: { ...config, revision: id, remotes } }),
  )
  return { rollBack: () => context.unroute('**/config/remotes.json') }
}
