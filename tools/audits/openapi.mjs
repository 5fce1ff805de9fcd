// Runs Redocly's linter on the API description.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { captureOutput } from '../../scripts/lib/output.mjs'
import { withPortal } from './audit-setup.mjs'

/** The recommended rules of Redocly, with these exceptions. */
const rules = {
  extends: ['recommended'],
  rules: {
    // The API does not have a licence of its own.
    'info-license': 'off',
    // Each installation has its own address; the description that is checked here has a loopback address.
    'no-server-example.com': 'off',
    // Some paths have fixed segments where others have IDs. Which of them a request means is defined and tested:
    // edge-api/src/http/overlapping-paths.test.ts
    'no-ambiguous-paths': 'off',
  },
}

/** @param {{ tools: string }} options @returns {Promise<import('./audit-setup.mjs').Outcome>} */
export const test = ({ tools }) =>
  withPortal(async ({ url }) => {
    const description = await (await fetch(`${url}/api/openapi.json`)).json()
    writeFileSync(path.join(tools, 'openapi.json'), JSON.stringify(description))
    writeFileSync(path.join(tools, 'redocly.yaml'), JSON.stringify(rules))
    const linter = path.join(tools, 'node_modules/@redocly/cli/bin/cli.js')
    const { out, err } = await captureOutput(
      process.execPath,
      [linter, 'lint', 'openapi.json', '--format=json'],
      {
        cwd: tools,
      },
    )
    if (!out.startsWith('{')) throw new Error(err)
    const { problems } = JSON.parse(out)
    const found = problems.map(
      ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
    )
    return { summary: `${Object.keys(description.paths).length} paths linted`, found }
  })
