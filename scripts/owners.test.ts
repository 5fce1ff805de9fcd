import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/* Tests CODEOWNERS as code hosts read it: the last matching line applies. */

const root = path.join(import.meta.dirname, '..')
const lines = readFileSync(path.join(root, 'CODEOWNERS'), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => line.split(/\s+/))
const owned = lines.map(([folder = '', ...owners]) => ({ place: folder, owners }))

/** Returns the folders that teams own: top folders, packages, and the API's domains. */
function listOwnedFolders(): string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const folders = files.split('\n').flatMap(file => {
    const [top = '', second, third, fourth] = file.split('/')
    if (!second || !existsSync(path.join(root, file))) return []
    if (top === 'packages') return third ? [`${top}/${second}`] : []
    return top === 'edge-api' && second === 'src' && fourth ? [top, `${top}/${second}/${third}`] : [top]
  })
  return [...new Set(folders)].sort()
}

test('every front end, package, domain of the API and top folder has a line in CODEOWNERS', () => {
  const folderNames = new Set(owned.map(({ place }) => place))
  // Packages and domains of the API are checked individually.
  const unlisted = listOwnedFolders().filter(part => part !== 'packages' && !folderNames.has(`/${part}/`))
  expect(unlisted.map(part => `${part}: add a line to CODEOWNERS, as /${part}/ @portal/…-team`)).toEqual([])
})

test('every line of CODEOWNERS names at least one team and an existing folder, which no other line names', () => {
  const folders = owned.filter(({ place }) => place !== '*')
  expect(folders.filter(({ place }) => !/^\/[\w./-]+\/$/.test(place))).toEqual([])
  expect(folders.filter(({ place }) => !existsSync(path.join(root, place)))).toEqual([])
  expect(new Set(folders.map(({ place }) => place)).size).toBe(folders.length)
  const team = /^@[\w-]+\/[\w-]+$/
  expect(
    owned.filter(({ owners }) => owners.length === 0 || !owners.every(owner => team.test(owner))),
  ).toEqual([])
  expect(owned[0]?.place).toBe('*')
})
