// A guide of docs/guides as the steps that it asks for: commands of its `sh` blocks, files that its `ts` and `tsx` blocks
// are the whole of, and changes that its `diff` blocks show. A block belongs to the file that was named last before it.

/**
 * @typedef {{ kind: 'run', command: string }} Run
 * @typedef {{ kind: 'write', file: string, text: string }} Write
 * @typedef {{ kind: 'change', file: string, before: string, after: string }} Change
 * @typedef {Run | Write | Change} Step
 */

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm
const FILE = /`([\w-]+(?:\/[\w.-]+)+\.\w+)`/g

/** One side of a diff: the lines that stay, and those of its sign. @param {string} text @param {'+' | '-'} sign */
const side = (text, sign) =>
  text
    .split('\n')
    .filter(line => line !== '' && (line.startsWith(sign) || line.startsWith(' ')))
    .map(line => line.slice(1))

/**
 * @param {string} markdown
 * @returns {Step[]}
 */
export function stepsOf(markdown) {
  /** @type {Step[]} */
  const steps = []
  let read = 0
  let file = ''
  for (const { 0: block, 1: language = '', 2: text = '', index } of markdown.matchAll(BLOCK)) {
    for (const [, named = ''] of markdown.slice(read, index).matchAll(FILE)) file = named
    read = index + block.length
    if (language === 'sh') for (const command of text.trim().split('\n')) steps.push({ kind: 'run', command })
    else if (language === 'ts' || language === 'tsx') steps.push({ kind: 'write', file, text })
    else if (language === 'diff') {
      // A line of nothing between others stands as nothing, without the blank before it.
      const lines = text.replaceAll(/^$/gm, ' ').trimEnd()
      const [before, after] = [side(lines, '-').join('\n'), side(lines, '+').join('\n')]
      steps.push({ kind: 'change', file, before, after })
    }
  }
  return steps
}

/**
 * A text with a change made.
 * @param {string} text
 * @param {Change} change
 */
export function changed(text, { file, before, after }) {
  const places = text.split(before).length - 1
  if (places !== 1) throw new Error(`${file} has this ${places} times:\n${before}`)
  return text.replace(before, () => after)
}
