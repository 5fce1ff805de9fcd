import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { linkFolder } from '../../../scripts/lib/checkout-copy.mjs'
import { root } from '../../../scripts/lib/setup.mjs'
import { migrations } from '../../src/db/migrations.ts'

/* Provides the portal as it was before the newest migration, from the history of this repository. */

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** Returns the commit before the newest migration; undefined in a checkout without history. */
export function findCommitBeforeNewestMigration(): string | undefined {
  const file = `edge-api/src/db/migrations/${migrations.at(-1)?.name}.sql`
  try {
    const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', file)
    return git('rev-parse', '--verify', added ? `${added}^` : 'HEAD')
  } catch {
    console.warn(
      'SKIPPED: this checkout has no history, so there is no previous version: git fetch --unshallow',
    )
    return undefined
  }
}

/** Checks out a commit, to run with the packages that are installed here. @returns its folder */
export async function checkOutCommit(commit: string): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-previous-'))
  const archive = path.join(folder, '.tar')
  git('archive', '--format=tar', `--output=${archive}`, commit)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  await rm(archive)
  const workspaces = git('ls-files', 'package.json', '**/package.json').split('\n').map(path.dirname)
  for (const workspace of workspaces) {
    const modulesFolder = path.join(workspace, 'node_modules')
    if (existsSync(path.join(root, modulesFolder)) && existsSync(path.join(folder, workspace)))
      await linkFolder(path.join(root, modulesFolder), path.join(folder, modulesFolder))
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
