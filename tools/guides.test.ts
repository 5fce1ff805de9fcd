import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import vitestConfig from '../vitest.config.ts'
import { applyChange, stepsOf } from './lib/guide.mjs'

/*
 * Checks that the scripts, workspaces, suites, files, headings and screenshots that the guides name exist.
 * guides.browser.test.ts follows the guides.
 */

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const guides = readdirSync(path.join(root, 'docs/guides')).map(name => `docs/guides/${name}`)
/** The documents for each role, which edge-api/test/full/roles.full.test.ts follows. */
const roles = ['docs/team.md', 'docs/front-end.md', 'docs/operator.md']
const documents = [...guides, ...roles, 'docs/shipping.md', 'docs/deploy.md', 'CONTRIBUTING.md', 'README.md']
/** The maximum size of a screenshot in a guide, in bytes. */
const MAX_BYTES = 150_000

const suites = vitestConfig.test?.projects?.map(project => Object(project).test.name)

/** Returns the micro-frontends and files that a guide creates. */
const createdBy = (text: string) => ({
  apps: [...text.matchAll(/npm run new -- mfe ([\w-]+)/g)].map(([, name]) => `mfe-${name}`),
  files: [...text.matchAll(/^new +(\S+)$/gm)].map(([, file = '']) => file),
})

/** Returns the scripts of a workspace, by folder or package name. */
function scriptsOf(workspace: string, generatedFolders: readonly string[]): string[] {
  const folder = workspace.replace('@portal/', '')
  const template = generatedFolders.includes(folder) ? 'mfe-user' : folder
  const file = ['', 'packages/']
    .map(place => `${place}${template}/package.json`)
    .find(item => existsSync(path.join(root, item)))
  return file ? Object.keys(JSON.parse(read(file)).scripts ?? {}) : []
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Returns the anchors of a document's headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

describe.each(documents)('%s', document => {
  const text = read(document)
  const { apps } = createdBy(text)

  test('names only existing commands and suites', { tags: ['SHIPPING-20'] }, () => {
    const { scripts } = JSON.parse(read('package.json'))
    const commands = [...text.matchAll(/npm run (?:-s )?([\w:]+)((?:(?!npm )[^`\n#|,;])*)/g)]
    const missing = commands.flatMap(([command, script = '', rest = '']) => {
      const [, workspace] = /^.* ?-w ([@\w/-]+)/.exec(rest) ?? []
      const scriptNames = workspace ? scriptsOf(workspace, apps) : Object.keys(scripts)
      return scriptNames.includes(script) ? [] : [command.trim()]
    })
    const projectNames = [...text.matchAll(/--project ([\w-]+)/g)].map(([, name]) => name)
    expect([...missing, ...projectNames.filter(name => !suites?.includes(name))]).toEqual([])
  })

  test('links only to existing files, headings and screenshots', () => {
    const brokenLinks = [...text.matchAll(/\]\(([^)#]*)(?:#([^)]+))?\)/g)].filter(([, to = '', anchor]) => {
      if (/^https?:/.test(to)) return false
      const file = to === '' ? document : path.join(path.dirname(document), to)
      if (!existsSync(path.join(root, file))) return true
      return anchor !== undefined && !anchorsOf(read(file)).includes(anchor)
    })
    expect(brokenLinks.map(([link]) => link)).toEqual([])
  })
})

const sourcePaths = /^(?:docs|edge-api|mfe-\w+|packages|scripts|shell|tools)\//
test.each(guides)('%s names only files that exist or that it creates', document => {
  const text = read(document)
  const { files } = createdBy(text)
  const paths = [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)+)`/g)].map(([, file = '']) => file)
  const exists = (file: string) => existsSync(path.join(root, file)) || files.includes(file)
  expect(paths.filter(file => sourcePaths.test(file) && !exists(file))).toEqual([])
})

test('the README links to the document for each role, and each of these has commands to follow', () => {
  for (const page of roles) {
    expect(read('README.md')).toContain(`](${page})`)
    expect(stepsOf(read(page)).filter(({ kind }) => kind === 'run').length).toBeGreaterThan(3)
  }
})

test('every guide is listed in docs/guides/README.md, and its screenshots are small', () => {
  const list = read('docs/guides/README.md')
  for (const guide of guides) if (!guide.endsWith('README.md')) expect(list).toContain(path.basename(guide))
  const pictures = guides.flatMap(guide =>
    [...read(guide).matchAll(/\]\((\.\.\/pictures\/[^)]+)\)/g)].map(([, to = '']) =>
      path.join('docs/guides', to),
    ),
  )
  expect(pictures.filter(file => statSync(path.join(root, file)).size > MAX_BYTES)).toEqual([])
})

test('the code blocks of a guide become steps, each for the last file that is named before it', () => {
  const steps = stepsOf(
    'Type\n```sh\nnpm test\nls\n```\nin `a/b.ts`, then `c/d.ts`:\n```diff\n keep\n-old\n+new\n\n last\n```\n```text\nsaid\n```\n',
  )
  expect(steps).toEqual([
    { kind: 'run', command: 'npm test' },
    { kind: 'run', command: 'ls' },
    { kind: 'change', file: 'c/d.ts', before: 'keep\nold\n\nlast', after: 'keep\nnew\n\nlast' },
  ])
  const [, , change] = steps
  if (change?.kind !== 'change') throw new Error('no change')
  expect(applyChange('0\nkeep\nold\n\nlast\n1', change)).toBe('0\nkeep\nnew\n\nlast\n1')
  expect(() => applyChange('keep', change)).toThrow('c/d.ts has this 0 times')
})
