import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Compatibility } from '@portal/contract/compatibility'
import { developmentKey } from '../lib/release-keys.mjs'
import { type Signing, signingWith } from './signing.mjs'

/* Minimal builds for tests, and a releases folder for them. */

const PROVIDED: Compatibility = {
  contract: 1,
  start: 1,
  shared: { react: '19.3.1', '@portal/router': '0.1.0' },
}
const NEEDS: Compatibility = {
  contract: 1,
  start: 1,
  shared: { react: '^19.3.1', '@portal/router': '^0.1.0' },
}

async function writeAll(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

export interface BuildOptions {
  needs?: Partial<Compatibility>
  /** The content of the release's page. */
  code?: string
  /** The code of the module that the release exposes. */
  exposed?: string
  /** The code of the entry, which by default exposes the module. */
  entry?: string
  area?: object
  /** The release's style sheet. */
  style?: string
}

const EXPOSED_MODULE = '{ contract: 1, routes: [], navigation: [] }'

export interface ReleasesFixture {
  /** A releases folder with only a shell, unless it is a copy. */
  folder: string
  /** Signs with a development key, because no team has a key. */
  signing: Signing
  /** Returns the context of a command in this folder, with a signing set-up for teams with keys. */
  contextWith(signing: Signing): { folder: string; by: string; signing: Signing }
  /** Builds a micro-frontend. */
  build(app: string, release: string, options?: BuildOptions): Promise<string>
  remove(): Promise<void>
}

/**
 * Creates a releases folder for tests.
 * @param original a folder whose releases, builds and keys are copied, because a release takes half a second
 */
export async function createReleasesFixture(original?: ReleasesFixture): Promise<ReleasesFixture> {
  const base = await mkdtemp(path.join(tmpdir(), 'portal-shipping-'))
  const folder = path.join(base, 'releases')
  if (original) await cp(path.dirname(original.folder), base, { recursive: true })
  else
    await writeAll(folder, {
      'shell.json': JSON.stringify({ release: 'shell1', has: PROVIDED }),
      'shell/index.html': '<!doctype html>',
    })
  return {
    folder,
    signing: signingWith({ teams: [], keys: [], development: developmentKey(path.join(base, 'data')) }),
    contextWith: signing => ({ folder, by: 'Ada Obi <ada@example.org>', signing }),
    async build(app, release, { needs = {}, code = '', exposed = EXPOSED_MODULE, entry, area, style } = {}) {
      const build = path.join(base, 'builds', app, release)
      await rm(build, { recursive: true, force: true })
      await writeAll(build, {
        'mf-manifest.json': JSON.stringify({
          id: release,
          metaData: { globalName: 'x', remoteEntry: { path: '', name: 'entry.js' } },
        }),
        'entry.js': entry ?? `/* ${release} */ var x = { init() {}, get: async () => () => (${exposed}) }`,
        ...(style && { 'css/page.0123456789.css': style }),
        ...(area && { 'area.json': JSON.stringify(area) }),
        'js/page.js': code,
        'js/page.js.map': '{}',
        'stamp.json': JSON.stringify({ app, release, needs: { ...NEEDS, ...needs } }),
      })
      return build
    },
    remove: () => rm(base, { recursive: true, force: true }),
  }
}
