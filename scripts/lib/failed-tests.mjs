import path from 'node:path'

/** What is told of each failure: the assertion and where it stands, not a page of HTML that was compared. */
const LINES = 12

/**
 * @typedef {object} Report what vitest's JSON reporter writes (vitest.dev/guide/reporters#json-reporter)
 * @property {{ name: string, message?: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] | null }[] }[]} testResults
 */

/**
 * The failed tests of a run, one text each: file, test, and the first lines of what it said. A file that could not
 * even be read into tests counts as one.
 * @param {Report} report
 * @param {string} root the checkout, which is left out of the names of files
 * @returns {string[]}
 */
export function failedTests(report, root) {
  return report.testResults.flatMap(file => {
    const name = path.relative(root, file.name)
    const failed = file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) =>
        told(`${name} > ${fullName}`, (failureMessages ?? []).join('\n')),
      )
    return failed.length === 0 && file.message ? [told(name, file.message)] : failed
  })
}

/** @param {string} title @param {string} message */
function told(title, message) {
  const lines = message.split('\n').slice(0, LINES)
  return [`  ${title}`, ...lines.map(line => `    ${line}`)].join('\n')
}
