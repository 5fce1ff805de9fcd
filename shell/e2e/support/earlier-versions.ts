import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { linkFolder } from '../../../scripts/lib/checkout-copy.mjs'
import { nodeBinary, root, run } from '../../../scripts/lib/setup.mjs'
import { readJson } from '../../../scripts/shipping/folder.mjs'

const git = (...args: string[]) =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** Returns the commits of main with their days, newest first; none in a folder without git. */
function listCommits(): string[] {
  try {
    return git('log', '--first-parent', '--format=%H %cs').trim().split('\n')
  } catch {
    return []
  }
}

/** An earlier state of the sources. */
export interface EarlierVersion {
  readonly commit: string
  readonly day: string
}

/**
 * Returns the last commit of each of the two latest days before the day of the newest commit, newest first. There are fewer if
 * the history is incomplete, as in a shallow clone.
 */
export function earlierVersions(): EarlierVersion[] {
  const [head, ...olderCommits] = listCommits().map(line => line.split(' '))
  const days = new Map<string, string>()
  for (const [commit = '', day = ''] of olderCommits)
    if (!days.has(day) && day !== head?.[1]) days.set(day, commit)
  return [...days].slice(0, 2).map(([day, commit]) => ({ day, commit }))
}

/** Lists the workspaces of a version. */
const LOCK_FILE = 'package-lock.json'

/**
 * Builds an earlier version in a temporary folder, with the packages of this checkout.
 * @returns its releases folder
 */
export async function buildVersion({
  commit,
}: EarlierVersion): Promise<{ releases: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-earlier-'))
  const archive = path.join(folder, 'sources.tar')
  git('archive', '--format=tar', `--output=${archive}`, commit)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  await rm(archive)
  await linkFolder(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const workspaces = Object.keys((await readJson(path.join(folder, LOCK_FILE)))?.packages ?? {})
  for (const workspace of workspaces.filter(name => name && !name.includes('node_modules'))) {
    const packages = path.join(root, workspace, 'node_modules')
    await linkFolder(packages, path.join(folder, workspace, 'node_modules')).catch(() => undefined)
  }
  const releases = path.join(folder, 'releases')
  const { APP_VERSION: _, ...env } = process.env
  const code = await run(nodeBinary(), ['scripts/build.mjs'], {
    cwd: folder,
    env: { ...env, RELEASES_FOLDER: releases },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (code !== 0) throw new Error(`${commit} could not be built`)
  return { releases, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Creates a releases folder with the shell of `shellReleases` and the micro-frontends of `remoteReleases`. */
export async function combineReleases(shellReleases: string, remoteReleases: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-mixed-'))
  for (const entry of ['shell', 'shell.json'])
    await cp(path.join(shellReleases, entry), path.join(folder, entry), { recursive: true })
  const { remotes: entries } = await readJson(path.join(remoteReleases, 'remotes.json'))
  await cp(path.join(remoteReleases, 'remotes.json'), path.join(folder, 'remotes.json'))
  for (const { name, release } of entries) {
    await mkdir(path.join(folder, name), { recursive: true })
    await cp(path.join(remoteReleases, name, release), path.join(folder, name, release), { recursive: true })
  }
  return folder
}
