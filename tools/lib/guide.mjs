// Reads the steps of a guide in docs/guides: commands from `sh` blocks, whole files from `ts` and `tsx` blocks, and changes
// from `diff` blocks. A block belongs to the last file that is named before it.

/**
 * @typedef {{ kind: 'run', command: string }} Run
 * @typedef {{ kind: 'write', file: string, text: string }} Write
 * @typedef {{ kind: 'change', file: string, before: string, after: string }} Change
 * @typedef {Run | Write | Change} Step
 */

const CODE_BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm
const FILE_PATH = /`([\w-]+(?:\/[\w.-]+)+\.\w+)`/g

/**
 * Returns one side of a diff: the lines with its sign, and those with neither.
 * @param {string} text @param {'+' | '-'} sign
 */
const readSide = (text, sign) =>
  text
    .split('\n')
    .filter(line => line !== '' && (line.startsWith(sign) || line.startsWith(' ')))
    .map(line => line.slice(1))

/**
 * Returns the steps of a guide.
 * @param {string} markdown
 * @returns {Step[]}
 */
export function stepsOf(markdown) {
  /** @type {Step[]} */
  const steps = []
  let position = 0
  let file = ''
  for (const { 0: block, 1: language = '', 2: text = '', index } of markdown.matchAll(CODE_BLOCK)) {
    for (const [, mentioned = ''] of markdown.slice(position, index).matchAll(FILE_PATH)) file = mentioned
    position = index + block.length
    if (language === 'sh') for (const command of text.trim().split('\n')) steps.push({ kind: 'run', command })
    else if (language === 'ts' || language === 'tsx') steps.push({ kind: 'write', file, text })
    else if (language === 'diff') {
      // Empty lines of a diff that did not change have no leading space.
      const lines = text.replaceAll(/^$/gm, ' ').trimEnd()
      const [before, after] = [readSide(lines, '-').join('\n'), readSide(lines, '+').join('\n')]
      steps.push({ kind: 'change', file, before, after })
    }
  }
  return steps
}

/**
 * Returns the text of a file after a change.
 * @param {string} text
 * @param {Change} change
 */
export function applyChange(text, { file, before, after }) {
  const occurrences = text.split(before).length - 1
  if (occurrences !== 1) throw new Error(`${file} has this ${occurrences} times:\n${before}`)
  return text.replace(before, () => after)
}
