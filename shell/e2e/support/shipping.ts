import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Compatibility } from '@portal/contract/compatibility'
import type { RemotesConfig } from '@portal/contract/remote'
import type { PortalAddress } from '../../../edge-api/test/servers/portal-server.ts'
import { nodeBinary, root, toolEnvironment } from '../../../scripts/lib/setup.mjs'
import { releasesFolder } from '../../../scripts/shipping/folder.mjs'
import { Release } from './release.ts'

interface Stamp {
  readonly release: string
  readonly needs: Compatibility
}

/** Creates a separate releases folder, with the shell and the live releases. */
export async function copyReleases(): Promise<string> {
  const sourceFolder = releasesFolder()
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-releases-'))
  const config: RemotesConfig = JSON.parse(await readFile(path.join(sourceFolder, 'remotes.json'), 'utf8'))
  const liveReleases = config.remotes.map(({ name, release = '' }) => path.join(name, release))
  for (const entry of ['shell', 'shell.json', 'remotes.json', ...liveReleases])
    await cp(path.join(sourceFolder, entry), path.join(folder, entry), { recursive: true })
  return folder
}

/**
 * Creates a build as another checkout would make it: the live release with other code, under another release name.
 * @returns the build's folder
 */
export async function buildElsewhere(
  folder: string,
  app: string,
  id: string,
  alter: (release: Release) => Promise<void>,
): Promise<string> {
  const release = await Release.readLive(app, folder)
  await alter(release)
  await release.rename(id)
  const build = path.join(folder, '.builds', app, id)
  await mkdir(build, { recursive: true })
  await cp(release.folder, build, { recursive: true, filter: file => !/\.(?:gz|br)$/.test(file) })
  for (const [file, code] of release.replacedFiles) await writeFile(path.join(build, file), code)
  await alterStamp(build, stamp => ({ ...stamp, release: id }))
  return build
}

/** Changes a build's `stamp.json`, its own description of the build. */
export async function alterStamp(build: string, alter: (stamp: Stamp) => Stamp): Promise<void> {
  const file = path.join(build, 'stamp.json')
  await writeFile(file, JSON.stringify(alter(JSON.parse(await readFile(file, 'utf8')))))
}

/** Returns a function that changes text in the chunk that `pattern` matches. */
export const replaceText =
  (pattern: RegExp, before: string, after: string) =>
  async (release: Release): Promise<void> => {
    const chunk = await release.chunkWith(pattern)
    await release.replaceChunk(chunk, (await release.readFile(chunk)).replaceAll(before, after))
  }

/** Runs `npm run releases -- <args>` for this folder and portal. Never throws: `code` is the exit code. */
export function runReleases(
  folder: string,
  portal: PortalAddress,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const script = ['--disable-warning=ExperimentalWarning', 'scripts/shipping/main.mjs', ...args]
  const env = toolEnvironment({
    RELEASES_FOLDER: folder,
    PUBLIC_URL: portal.url,
    RELEASED_BY: 'Ada Obi <ada@example.org>',
  })
  return new Promise(resolve => {
    execFile(nodeBinary(), script, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    )
  })
}

/** Returns the hash and name of every file of the shell, to detect whether any byte has changed. */
export async function hashShell(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const files = readdirSync(path.join(folder, 'shell'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
  for (const file of files.sort()) hash.update(file).update(await readFile(file))
  return hash.digest('hex')
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

/** Starts another origin that serves a releases folder, like a team's own server or a CDN. */
export async function serveFromOtherOrigin(
  folder: string,
): Promise<{ origin: string; requests: string[]; stop(): void }> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    requests.push(pathname)
    const bytes = await readFile(path.join(folder, pathname.replace(/^\/r\//, ''))).catch(() => undefined)
    response.writeHead(bytes ? 200 : 404, {
      'content-type': contentTypes[path.extname(pathname)] ?? 'application/octet-stream',
      'access-control-allow-origin': '*',
    })
    response.end(bytes)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { origin: `http://localhost:${port}`, requests, stop: () => server.close() }
}
