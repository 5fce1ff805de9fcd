// Adds table entries and imports to TypeScript sources, and leaves everything else as it is.
import path from 'node:path'
import { Refusal } from './names.mjs'

const IMPORT = /^import (?:(type) )?(?:\{([^}]*)\}|([\w*][\w* ]*)) from '([^']+)'\n|^import '([^']+)'\n/gm
const pairs = { '{': '}', '[': ']', '(': ')' }

/** Returns the end of the string, template or comment that begins at `position`, or `position` if none begins there. */
function afterText(text, position) {
  const nextTwo = text.slice(position, position + 2)
  if (nextTwo === '//') return text.indexOf('\n', position)
  if (nextTwo === '/*') return text.indexOf('*/', position) + 2
  const quote = text[position]
  if (quote !== "'" && quote !== '"' && quote !== '`') return position
  let end = position + 1
  while (text[end] !== quote) end += text[end] === '\\' ? 2 : 1
  return end + 1
}

/**
 * Returns the position of the bracket that closes the one at `position`.
 * @param {string} text @param {number} position
 */
function findClosingBracket(text, position) {
  const closers = []
  for (let index = position; index < text.length; ) {
    const after = afterText(text, index)
    if (after > index) {
      index = after
      continue
    }
    const character = text[index] ?? ''
    if (Object.hasOwn(pairs, character)) closers.push(pairs[character])
    else if (character === closers.at(-1) && closers.pop() && closers.length === 0) return index
    index += 1
  }
  throw new Error('a bracket is never closed')
}

/**
 * Returns the range inside the brackets of a table.
 * @param {string} text a source
 * @param {RegExp} opener matches up to and including the table's opening bracket
 * @returns {{ from: number, to: number } | undefined}
 */
export function tableIn(text, opener) {
  const match = opener.exec(text)
  if (!match) return undefined
  const from = match.index + match[0].length
  return { from, to: findClosingBracket(text, from - 1) }
}

/**
 * Appends an entry to a table.
 * @param {string} file for the message
 * @param {string} text
 * @param {RegExp} opener
 * @param {string} entry without a comma after it
 */
export function withEntry(file, text, opener, entry) {
  const table = tableIn(text, opener)
  if (!table) throw new Refusal(`${file} has no ${opener}: add this by hand there.\n\n${entry}\n`)
  const body = text.slice(table.from, table.to).trimEnd()
  const comma = body === '' || body.endsWith(',') ? '' : ','
  return `${text.slice(0, table.from)}${body}${comma}\n${entry},\n${text.slice(table.to)}`
}

/**
 * Returns the imports of a source, and the rest of it.
 * @param {string} text
 */
export function importsOf(text) {
  const imports = [...text.matchAll(IMPORT)].map(([statement, type, names, whole, from, bare]) => ({
    statement,
    type: type !== undefined,
    names: names
      ?.split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
    whole,
    from: from ?? bare ?? '',
  }))
  return { imports, rest: text.replaceAll(IMPORT, '').trimStart() }
}

/**
 * Adds imports that are missing. Biome sorts them afterwards.
 * @param {string} text
 * @param {string} added import statements
 */
export function withImports(text, added) {
  let result = text
  for (const requirement of importsOf(added).imports) {
    const existingImports = importsOf(result).imports.filter(item => item.from === requirement.from)
    const isKnown = name => existingImports.some(item => item.names?.includes(name))
    const missing = requirement.names?.filter(name => !isKnown(name))
    const sameKind = existingImports.find(item => item.names && item.type === requirement.type)
    if (
      missing?.length === 0 ||
      (!requirement.names && existingImports.some(item => item.whole === requirement.whole))
    )
      continue
    if (!missing || !sameKind?.names) result = requirement.statement + result
    else {
      const names = [...sameKind.names, ...missing].join(', ')
      result = result.replace(
        sameKind.statement,
        `import ${sameKind.type ? 'type ' : ''}{ ${names} } from '${sameKind.from}'\n`,
      )
    }
  }
  return result
}

const PACKAGE = /^packages\/([\w-]+)\/src\/(.+)\.tsx?$/

/**
 * Changes the imports of a template so that they fit its target: relative paths begin there, and other packages are imported by
 * name.
 * @param {string} text
 * @param {string} from path of the template in the checkout
 * @param {string} to target path
 * @param {Readonly<Record<string, string>>} targets by template, for imports of other templates
 */
export function adjustImports(text, from, to, targets = {}) {
  const targetPackage = PACKAGE.exec(to)?.[1]
  return text.replaceAll(/((?:from|import) ?\(?)'(\.[^']*)'/g, (_, before, specifier) => {
    const template = path.posix.join(path.posix.dirname(from), specifier)
    const target = targets[template] ?? template
    const [, name, part] = PACKAGE.exec(target) ?? []
    if (name && name !== targetPackage) return `${before}'@portal/${name}/${part}'`
    const relative = path.posix.relative(path.posix.dirname(to), target)
    return `${before}'${relative.startsWith('.') ? relative : `./${relative}`}'`
  })
}
