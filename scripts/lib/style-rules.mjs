// Checks that the styles of a micro-frontend only affect its own elements. The shell and other micro-frontends are on the same
// page, so a selector without a class of the micro-frontend's CSS modules would affect them too.
import { Buffer } from 'node:buffer'
import { transform } from 'lightningcss'

/** The cascade layers in the shell's order. */
const LAYERS = ['reset', 'tokens', 'ui', 'app']

/** Rules that only contain other rules. */
const groupingRules = new Set(['supports', 'container', 'starting-style', 'nesting', 'nested-declarations'])

/**
 * Rules for the whole page that are allowed, because they print a letter or receipt without browser margins. They must match
 * exactly and apply to print only (packages/letter/src/page.module.css).
 */
const PRINTED = new Set(
  ['data-letter-print', 'data-receipt'].flatMap(name => [
    `:root:has([${name}])`,
    `body:has([${name}]),body :has([${name}])`,
    `body:has([${name}]) :not([${name}],[${name}] *,:has([${name}]))`,
  ]),
)
/** Named pages that are allowed; they apply only where a rule refers to them. */
const PAGES = new Set(['letter'])

/** Pseudo-classes that match an element if one of the selectors in them does. */
const alternatives = new Set(['is', 'where', 'any'])

/**
 * Returns a pattern for the prefix of class names in a build, such as `mfe_admin-1a2b3c4d-`; only CSS modules produce it.
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
      // These are parsed as a combinator, but are part of the preceding compound: `::part()`, `::before`.
      if (['pseudo-element', 'part', 'slot-assignment'].includes(part.value)) continue
      compounds.push({ combinator: part.value, parts: [] })
    } else compounds.at(-1)?.parts.push(part)
  return compounds
}

/**
 * Returns whether a selector only matches elements of the micro-frontend and their descendants.
 * @param {readonly any[]} selector
 * @param {RegExp} prefix
 * @param {boolean} within whether the rule is nested in one limited to own elements
 */
function isOwn(selector, prefix, within) {
  const compounds = compoundsOf(selector)
  const isRelative = !JSON.stringify(selector).includes('"nesting"')
  let isInside = within && isRelative
  for (const { combinator, parts } of compounds) {
    // The sibling of an own element may belong to the shell, unless both are inside an own element.
    const matchesOwn = parts.some(part => isOwnPart(part, prefix, within))
    if (matchesOwn) isInside = true
    else if (combinator?.endsWith('sibling') && !isEnclosed(compounds, parts, prefix, within))
      isInside = false
  }
  return isInside
}

/** Returns whether a chain of siblings that ends at `last` is inside an element of the micro-frontend. */
function isEnclosed(compounds, last, prefix, within) {
  const end = compounds.findIndex(({ parts }) => parts === last)
  let start = end
  while (start > 0 && compounds[start]?.combinator?.endsWith('sibling')) start--
  return compounds.slice(0, start).some(({ parts }) => parts.some(part => isOwnPart(part, prefix, within)))
}

/** @param {any} part @param {RegExp} prefix @param {boolean} within */
function isOwnPart(part, prefix, within) {
  if (part.type === 'class') return prefix.test(part.name)
  if (part.type === 'nesting') return within
  if (part.type !== 'pseudo-class' || !alternatives.has(part.kind)) return false
  return part.selectors.length > 0 && part.selectors.every(selector => isOwn(selector, prefix, within))
}

/**
 * Returns the rules of a style sheet that affect elements outside the micro-frontend.
 * @param {string} code as built, or the source of a CSS module
 * @param {{ app: string, file: string, module?: boolean }} options `module`: its class names are not generated yet
 * @returns {string[]} one rule each, with its line if the code is a source
 */
export function foreignRules(code, options) {
  try {
    return foreignRulesOf(code, options)
  } catch (error) {
    // Styles that cannot be parsed are refused.
    return [`cannot be read: ${error instanceof Error ? error.message : error}`]
  }
}

/** @param {string} code @param {{ app: string, file: string, module?: boolean }} options */
function foreignRulesOf(code, { app, file, module = false }) {
  const prefix = ownPrefix(app)
  const namedCode = module
    ? Buffer.from(
        transform({
          filename: file,
          code: Buffer.from(code),
          cssModules: { pattern: `${app.replaceAll('-', '_')}-source-[local]`, dashedIdents: true },
          errorRecovery: false,
        }).code,
      ).toString()
    : code
  const lines = namedCode.split('\n')
  /** Returns the beginning of a rule as written, in one line. @param {{ line: number, column: number } | undefined} loc */
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
  const findings = []
  /**
   * Adds a finding.
   * @param {any} loc @param {string} why
   */
  const addFinding = (loc, why) => findings.push(`${why}: ${headOf(loc).slice(0, 160)}`)
  /**
   * For each enclosing media rule, whether it applies to print only.
   * @type {boolean[]}
   */
  const openMedia = []
  /**
   * For each enclosing rule, whether it is limited to own elements. If so, nested rules can use `&`.
   * @type {boolean[]}
   */
  const openRules = []
  const enter = rule => {
    const { type, value } = rule
    if (type === 'style') {
      const within = openRules.at(-1) ?? false
      const isLimited = value.selectors.every(selector => isOwn(selector, prefix, within))
      if (!isLimited && !(openMedia.includes(true) && PRINTED.has(headOf(value.loc))))
        addFinding(value.loc, 'matches elements of the shell')
      openRules.push(isLimited)
    } else if (type === 'scope') {
      const start = value.scopeStart ?? []
      openRules.push(
        start.length > 0 && start.every(selector => isOwn(selector, prefix, openRules.at(-1) ?? false)),
      )
    } else if (type === 'layer-statement') {
      const positions = value.names.map(name => LAYERS.indexOf(name.join('.')))
      if (positions.some((position, index) => position < 0 || position < (positions[index - 1] ?? 0)))
        addFinding(value.loc, 'changes the order of the cascade layers')
    } else if (type === 'layer-block') {
      if (!LAYERS.includes(value.name?.join('.') ?? '')) addFinding(value.loc, 'adds a cascade layer')
    } else if (type === 'keyframes') {
      if (!prefix.test(value.name.value)) addFinding(value.loc, 'defines a global animation')
    } else if (type === 'property') {
      if (!prefix.test(value.name.slice(2))) addFinding(value.loc, 'registers a global property')
    } else if (type === 'media') {
      openMedia.push(value.query.mediaQueries.every(({ mediaType }) => mediaType === 'print'))
    } else if (type === 'page') {
      const pages = value.selectors.map(({ name }) => name)
      if (pages.length === 0 || !pages.every(name => PAGES.has(name)))
        addFinding(value.loc, 'changes the page layout for printing')
    } else if (!groupingRules.has(type)) addFinding(value?.loc, `is a global rule (@${type})`)
  }
  const leave = rule => {
    if (rule.type === 'style' || rule.type === 'scope') openRules.pop()
    if (rule.type === 'media') openMedia.pop()
  }
  transform({
    filename: file,
    code: Buffer.from(namedCode),
    visitor: { Rule: enter, RuleExit: leave },
  })
  return findings
}
