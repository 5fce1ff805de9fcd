// Collects the changes of a generator. They are only written when all of them have succeeded.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { teamsText } from '../../scripts/lib/teams-file.mjs'
import { Refusal } from './names.mjs'
import { adjustImports } from './source.mjs'

const TEMPLATES = 'tools/templates'
/** The column of CODEOWNERS in which owners begin. */
const OWNER_COLUMN = 36

/** The changed files of a checkout with their new contents, which have not been written yet. */
export class Changes {
  /** @type {Map<string, string>} */
  files = new Map()
  /** @type {Set<string>} */
  createdFiles = new Set()

  /** @param {string} root of the checkout */
  constructor(root) {
    this.root = root
  }

  /** @param {string} file */
  exists = file => this.files.has(file) || existsSync(path.join(this.root, file))

  /** @param {string} file @returns {Promise<string>} */
  async read(file) {
    return this.files.get(file) ?? (await readFile(path.join(this.root, file), 'utf8'))
  }

  /** @param {string} file @param {string} text */
  create(file, text) {
    if (this.exists(file)) throw new Refusal(`${file} already exists: choose another name.`)
    this.files.set(file, text)
    this.createdFiles.add(file)
  }

  /** @param {string} file @param {(text: string) => string} change */
  async change(file, change) {
    this.files.set(file, change(await this.read(file)))
  }

  /**
   * Returns the text of a file that is made from a template: names are replaced, and imports fit the file's location.
   * @param {string} template below tools/templates
   * @param {string} to
   * @param {(text: string) => string} rename
   * @param {Readonly<Record<string, string>>} targets by template, for imports of other templates; both relative to the root
   */
  async fillTemplate(template, to, rename, targets = {}) {
    const from = `${TEMPLATES}/${template}`
    const targetFiles = Object.fromEntries(
      Object.entries(targets).map(([source, target]) => [`${TEMPLATES}/${source}`, target]),
    )
    return rename(adjustImports(await this.read(from), from, to, targetFiles))
  }

  /**
   * Writes all changes.
   * @returns {Promise<string[]>} the files
   */
  async write() {
    for (const [file, text] of this.files) {
      const to = path.join(this.root, file)
      await mkdir(path.dirname(to), { recursive: true })
      await writeFile(to, text)
    }
    return [...this.files.keys()]
  }
}

/**
 * Adds a team that may release a micro-frontend.
 * @param {Changes} changes
 * @param {string} app
 * @param {string} name
 */
export const addTeam = (changes, app, name) =>
  changes.change('teams.json', text =>
    teamsText([...JSON.parse(text).teams, { name, apps: [app], owners: [`@portal/${name}-team`], keys: [] }]),
  )

/**
 * Adds an owner for a folder.
 * @param {Changes} changes
 * @param {string} folder
 * @param {string} team
 */
export const addOwner = (changes, folder, team) =>
  changes.change(
    'CODEOWNERS',
    text => `${text.trimEnd()}\n${`/${folder}/`.padEnd(OWNER_COLUMN - 1)} @portal/${team}-team\n`,
  )
