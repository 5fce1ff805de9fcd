// What the styles of a micro-frontend may reach: elements of its own alone. The shell and the other micro-frontends are in
// the same page, so a selector without a class of the micro-frontend's own CSS modules would restyle them too.
import { Buffer } from 'node:buffer'
import { transform } from 'lightningcss'

/** The cascade layers in the order that the shell gives them. */
const LAYERS = ['reset', 'tokens', 'ui', 'app']

/** Rules that hold others and match nothing themselves. */
const holders = new Set(['supports', 'container', 'starting-style', 'nesting', 'nested-declarations'])

/**
 * What printing needs of the whole page, by name: only the letter or the receipt is printed, on paper without margins of
 * the browser. Allowed where the medium is print, word for word (packages/letter/src/page.module.css).
 */
const PRINTED = new Set(
  ['data-letter-print', 'data-receipt'].flatMap(name => [
    `:root:has([${name}])`,
    `body:has([${name}]),body :has([${name}])`,
    `body:has([${name}]) :not([${name}],[${name}] *,:has([${name}]))`,
  ]),
)
/** Named pages apply to what asks for them by name. */
const PAGES = new Set(['letter'])

/** Pseudo-classes that match what one of their selectors matches. */
const alternatives = new Set(['is', 'where', 'any'])

/**
 * How the classes of a build begin: `mfe_admin-1a2b3c4d-`, from CSS modules alone.
 * @param {string} app
 */
const ownPrefix = app => new RegExp(`^${app.replaceAll('-', '_')}-[\\w-]{4,12}-[\\w-]`)

/**
 * Splits a selector into compounds, each with the combinator before it.
 * @param {readonly any[]} selector
 */
function compoundsOf(selector) {
  /** @type {{ combinator: string | undefined, parts: any[] }[]} */
  const compounds = [{ combinator: undefined, parts: [] }]
  for (const part of selector)
    if (part.type === 'combinator') {
      // What is written as a combinator but belongs to the compound before it: `::part()`, `::before`.
      if (['pseudo-element', 'part', 'slot-assignment'].includes(part.value)) continue
      compounds.push({ combinator: part.value, parts: [] })
    } else compounds.at(-1)?.parts.push(part)
  return compounds
}

/**
 * Whether all that a selector matches is an element of the micro-frontend, or lies in one.
 * @param {readonly any[]} selector
 * @param {RegExp} own
 * @param {boolean} within the rule is nested in one that is own
 */
function isOwn(selector, own, within) {
  const compounds = compoundsOf(selector)
  const relative = !JSON.stringify(selector).includes('"nesting"')
  let inside = within && relative
  for (const { combinator, parts } of compounds) {
    // A sibling of an own element may be the shell's, unless both lie in an own one.
    const here = parts.some(part => isOwnPart(part, own, within))
    if (here) inside = true
    else if (combinator?.endsWith('sibling') && !enclosed(compounds, parts, own, within)) inside = false
  }
  return inside
}

/** Whether a compound before the siblings that end in `last` is own and contains them. */
function enclosed(compounds, last, own, within) {
  const end = compounds.findIndex(({ parts }) => parts === last)
  let start = end
  while (start > 0 && compounds[start]?.combinator?.endsWith('sibling')) start--
  return compounds.slice(0, start).some(({ parts }) => parts.some(part => isOwnPart(part, own, within)))
}

/** @param {any} part @param {RegExp} own @param {boolean} within */
function isOwnPart(part, own, within) {
  if (part.type === 'class') return own.test(part.name)
  if (part.type === 'nesting') return within
  if (part.type !== 'pseudo-class' || !alternatives.has(part.kind)) return false
  return part.selectors.length > 0 && part.selectors.every(each => isOwn(each, own, within))
}

/**
 * Everything in a style sheet that reaches beyond the micro-frontend.
 * @param {string} code as built, or the source of a CSS module
 * @param {{ app: string, file: string, module?: boolean }} of `module`: its class names are yet to be made
 * @returns {string[]} a rule each, with its line where the code is a source
 */
export function foreignRules(code, of) {
  try {
    return foreignRulesOf(code, of)
  } catch (error) {
    // What cannot be read is not let through.
    return [`cannot be read: ${error instanceof Error ? error.message : error}`]
  }
}

/** @param {string} code @param {{ app: string, file: string, module?: boolean }} of */
function foreignRulesOf(code, { app, file, module = false }) {
  const own = ownPrefix(app)
  const named = module
    ? Buffer.from(
        transform({
          filename: file,
          code: Buffer.from(code),
          cssModules: { pattern: `${app.replaceAll('-', '_')}-source-[local]`, dashedIdents: true },
          errorRecovery: false,
        }).code,
      ).toString()
    : code
  const lines = named.split('\n')
  /** What a rule begins with, as it is written, in one line. @param {{ line: number, column: number } | undefined} loc */
  const headOf = loc => {
    if (!loc) return ''
    const [first = '', ...rest] = lines.slice(loc.line)
    const text = [first.slice(loc.column - 1), ...rest].join(' ')
    return text
      .slice(0, text.search(/[{;]|$/))
      .replaceAll(/\s+/g, ' ')
      .replaceAll(', ', ',')
      .trim()
  }
  /** @type {string[]} */
  const found = []
  /** @param {any} loc @param {string} why */
  const note = (loc, why) => found.push(`${why}: ${headOf(loc).slice(0, 160)}`)
  /** Media rules that are open, true for those of print alone. @type {boolean[]} */
  const media = []
  /** Whether the rules that are open now are own: those nested in them may say `&`. @type {boolean[]} */
  const open = []
  const enter = rule => {
    const { type, value } = rule
    if (type === 'style') {
      const within = open.at(-1) ?? false
      const all = value.selectors.every(selector => isOwn(selector, own, within))
      if (!all && !(media.includes(true) && PRINTED.has(headOf(value.loc))))
        note(value.loc, 'matches elements of the shell')
      open.push(all)
    } else if (type === 'scope') {
      const start = value.scopeStart ?? []
      open.push(start.length > 0 && start.every(selector => isOwn(selector, own, open.at(-1) ?? false)))
    } else if (type === 'layer-statement') {
      const places = value.names.map(name => LAYERS.indexOf(name.join('.')))
      if (places.some((place, at) => place < 0 || place < (places[at - 1] ?? 0)))
        note(value.loc, 'changes the order of the cascade layers')
    } else if (type === 'layer-block') {
      if (!LAYERS.includes(value.name?.join('.') ?? '')) note(value.loc, 'adds a cascade layer')
    } else if (type === 'keyframes') {
      if (!own.test(value.name.value)) note(value.loc, 'names an animation of the page')
    } else if (type === 'property') {
      if (!own.test(value.name.slice(2))) note(value.loc, 'registers a property of the page')
    } else if (type === 'media') {
      media.push(value.query.mediaQueries.every(({ mediaType }) => mediaType === 'print'))
    } else if (type === 'page') {
      const pages = value.selectors.map(({ name }) => name)
      if (pages.length === 0 || !pages.every(name => PAGES.has(name)))
        note(value.loc, 'sets the pages of print')
    } else if (!holders.has(type)) note(value?.loc, `is a rule of the whole page (@${type})`)
  }
  const leave = rule => {
    if (rule.type === 'style' || rule.type === 'scope') open.pop()
    if (rule.type === 'media') media.pop()
  }
  transform({
    filename: file,
    code: Buffer.from(named),
    visitor: { Rule: enter, RuleExit: leave },
  })
  return found
}
