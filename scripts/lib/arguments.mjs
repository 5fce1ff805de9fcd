// Parses the arguments of a command. Unknown arguments end the command before it does anything. If they were ignored, it would
// do something other than what was requested; if they were accepted, a backup could end up in a folder called `--help`.
import './node-version.mjs'
import util from 'node:util'

/**
 * Returns the parsed arguments of a command. `--help` prints the usage and exits with 0; unknown options or surplus arguments
 * print an error and the usage, and exit with 2.
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} T
 * @param {string} usage one line per form of the command
 * @param {{ options?: T, maxPositionals?: number }} accepted options, and the maximum number of positional arguments
 */
export function argumentsOf(usage, { options = /** @type {T} */ ({}), maxPositionals = 0 } = {}) {
  try {
    const parsed = util.parseArgs({
      allowPositionals: true,
      options: { ...options, help: { type: /** @type {const} */ ('boolean'), short: 'h' } },
    })
    if (/** @type {{ help?: boolean }} */ (parsed.values).help) {
      console.log(usage)
      process.exit(0)
    }
    const surplusArgument = parsed.positionals[maxPositionals]
    if (surplusArgument === undefined) return parsed
    return exitWithUsage(`Unknown argument "${surplusArgument}".`, usage)
  } catch (error) {
    // Only the first sentence is printed: the rest of Node's message is advice for the author of the option.
    return exitWithUsage(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error), usage)
  }
}

/**
 * Prints an error and the usage, and exits with 2.
 * @param {string} message
 * @param {string} usage
 * @returns {never}
 */
export function exitWithUsage(message, usage) {
  console.error(`${message.replace(/[^.?!]$/, '$&.')}\n${usage}`)
  process.exit(2)
}
