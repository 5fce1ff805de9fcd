import path from 'node:path'

/** How many lines are shown of a failure: the assertion and its location, not the compared HTML. */
const MAX_LINES = 12

/**
 * @typedef {object} Report the output of vitest's JSON reporter (vitest.dev/guide/reporters#json-reporter)
 * @property {{ name: string, message?: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] | null }[] }[]} testResults
 */

/**
 * Returns the failed tests of a run as one text each: file, test, and the first lines of its output. A file that could not be
 * loaded counts as one failed test.
 * @param {Report} report
 * @param {string} root the checkout, which is removed from file names
 * @returns {string[]}
 */
export function failedTests(report, root) {
  return report.testResults.flatMap(file => {
    const name = path.relative(root, file.name)
    const failed = file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) =>
        formatFailure(`${name} > ${fullName}`, (failureMessages ?? []).join('\n')),
      )
    return failed.length === 0 && file.message ? [formatFailure(name, file.message)] : failed
  })
}

/** @param {string} title @param {string} message */
function formatFailure(title, message) {
  const lines = message.split('\n').slice(0, MAX_LINES)
  return [`  ${title}`, ...lines.map(line => `    ${line}`)].join('\n')
}
