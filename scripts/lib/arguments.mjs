// What a command was given on its line. A word that it does not know ends it before it begins anything: ignored, it would
// do something else than was asked for, and believed, a backup would go into a folder called `--help`.
import './node-version.mjs'
import util from 'node:util'

/**
 * Reads a command's line. `--help` prints its usage and ends it with 0; an option that it does not know, or more words
 * than it takes, with 2 and both.
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} T
 * @param {string} usage how it is called, a line for each way
 * @param {{ options?: T, most?: number }} takes its options, and how many words beside them: none unless given
 */
export function argumentsOf(usage, { options = /** @type {T} */ ({}), most = 0 } = {}) {
  try {
    const given = util.parseArgs({
      allowPositionals: true,
      options: { ...options, help: { type: /** @type {const} */ ('boolean'), short: 'h' } },
    })
    if (/** @type {{ help?: boolean }} */ (given.values).help) {
      console.log(usage)
      process.exit(0)
    }
    const tooMuch = given.positionals[most]
    if (tooMuch === undefined) return given
    return misused(`What is "${tooMuch}"?`, usage)
  } catch (error) {
    // What follows in its message is advice for whoever wrote the option.
    return misused(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error), usage)
  }
}

/**
 * @param {string} message
 * @param {string} usage
 * @returns {never}
 */
export function misused(message, usage) {
  console.error(`${message.replace(/[^.?!]$/, '$&.')}\n${usage}`)
  process.exit(2)
}
