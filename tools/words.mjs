// Advice on wording; it never fails. `node tools/words.mjs` lists discouraged phrases in uncommitted and unpushed changes (as
// part of `npm run verify`). `--rate` prints how often they occur in all files, and `--list` where; both can be limited to
// folders or files.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { root } from '../scripts/lib/setup.mjs'
import { adviceFor, commentsIn, countPhrases, titlesIn } from '../scripts/lib/words.mjs'

const USAGE = 'node tools/words.mjs [--rate | --list] [folder or file …]'
const SOURCES = /\.(ts|tsx|mjs|js|css)$/
const QUOTING_FILES = /^(scripts\/lib\/words\.mjs|CHANGELOG\.md)$/

/** @param {string[]} args */
const git = args =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/**
 * Returns the prose of a file by kind: comments, test titles, documents.
 * @param {string} file
 */
function proseOf(file) {
  const text = readFileSync(path.join(root, file), 'utf8')
  if (file.endsWith('.md')) return { documents: text }
  const comments = commentsIn(text)
  return /\.test\.tsx?$/.test(file) ? { comments, titles: titlesIn(text) } : { comments }
}

/**
 * Returns the files below these folders.
 * @param {string[]} paths
 */
const filesIn = paths =>
  git(['ls-files', '--', ...paths])
    .split('\n')
    .filter(file => (SOURCES.test(file) || file.endsWith('.md')) && !QUOTING_FILES.test(file))

/** @param {string[]} paths */
function printRates(paths) {
  /** @type {Record<string, { words: number, found: number }>} */
  const rates = {}
  for (const file of filesIn(paths))
    for (const [kind, text] of Object.entries(proseOf(file))) {
      const { words, found } = rates[kind] ?? { words: 0, found: 0 }
      const wordCount = text.match(/[A-Za-z][\w'’-]*/g)?.length ?? 0
      rates[kind] = { words: words + wordCount, found: found + countPhrases(text) }
    }
  for (const [kind, { words, found }] of Object.entries(rates))
    console.log(
      `${kind}: ${found} in ${words} words, ${((found / (words || 1)) * 10_000).toFixed(1)} in 10,000`,
    )
}

/** @param {string[]} paths */
function printOccurrences(paths) {
  for (const file of filesIn(paths)) {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n')
    const prose = Object.values(proseOf(file)).join('\n')
    lines.forEach((line, index) => {
      const advice = adviceFor(line)
      const words = line.replace(/^[\s/*]+|[\s*/]+$/g, '').slice(0, 40)
      if (
        advice.length > 0 &&
        (file.endsWith('.md') || prose.includes(words) || /(test|it|describe)\(/.test(line))
      )
        console.log(`${file}:${index + 1} ${advice.join('; ')}`)
    })
  }
}

/** Returns the changes that are not committed or not pushed; nothing if there is no commit to compare with. */
function readChanges() {
  for (const base of ['@{upstream}', 'HEAD']) {
    try {
      return git(['diff', '--unified=0', '--no-color', '--merge-base', base])
    } catch {}
  }
  return ''
}

function printChanges() {
  let file = ''
  for (const line of readChanges().split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice(6)
    else if (line.startsWith('+') && !QUOTING_FILES.test(file))
      for (const advice of adviceFor(line)) console.log(`wording ${file}: ${advice}`)
  }
}

const { values, positionals } = argumentsOf(USAGE, {
  options: { rate: { type: 'boolean' }, list: { type: 'boolean' } },
  maxPositionals: 100,
})
if (values.rate) printRates(positionals)
else if (values.list) printOccurrences(positionals)
else printChanges()
