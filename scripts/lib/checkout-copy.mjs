// Makes a disposable copy of the checkout, for tests that generate, build or edit files. The copy has the files known to git,
// untracked files, and node_modules as hard links, so that copying takes a second and no disk space.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, statSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, readdir, readlink, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from './setup.mjs'

/**
 * Links a file or, on another file system, copies it.
 * @param {string} from @param {string} to
 */
async function linkOrCopy(from, to) {
  try {
    await link(from, to)
  } catch (error) {
    // EXDEV: the temporary folder is on another file system.
    if (Object(error).code !== 'EXDEV') throw error
    await copyFile(from, to)
  }
}

/** @param {string} from @param {string} to */
async function linkEntries(from, to) {
  await mkdir(to, { recursive: true })
  const entries = await readdir(from, { withFileTypes: true })
  for (const entry of entries) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await linkEntries(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else await linkOrCopy(source, target)
  }
}

/**
 * Copies a folder of packages as hard links.
 * @param {string} from
 * @param {string} to
 */
export async function linkFolder(from, to) {
  await mkdir(path.dirname(to), { recursive: true })
  const isSameDisk = statSync(from).dev === statSync(path.dirname(to)).dev
  // Takes a fifth of the CPU time of links that Node creates.
  if (process.platform === 'linux' && isSameDisk) execFileSync('cp', ['-alT', from, to])
  else await linkEntries(from, to)
  // npm overwrites this file in place, so a hard link would change the original.
  const lock = path.join(from, '.package-lock.json')
  if (!existsSync(lock)) return
  rmSync(path.join(to, '.package-lock.json'))
  await copyFile(lock, path.join(to, '.package-lock.json'))
}

/**
 * Makes a disposable copy of the checkout.
 * @returns {Promise<{ folder: string, remove: () => Promise<void> }>}
 */
export async function copyCheckout() {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-copy-'))
  const fileList = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  /** @type {Set<string>} */
  const workspaces = new Set()
  for (const file of new Set(fileList.split('\0'))) {
    // The file was deleted, but is still in git's index.
    if (file === '' || !existsSync(path.join(root, file))) continue
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await copyFile(path.join(root, file), path.join(folder, file))
    if (path.basename(file) === 'package.json') workspaces.add(path.dirname(file))
  }
  // A workspace's own node_modules contains packages that only it needs in another version.
  for (const workspace of workspaces) {
    const modulesFolder = path.join(workspace, 'node_modules')
    if (existsSync(path.join(root, modulesFolder)))
      await linkFolder(path.join(root, modulesFolder), path.join(folder, modulesFolder))
  }
  // The asynchronous `rm` takes three times the CPU time.
  return { folder, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}
