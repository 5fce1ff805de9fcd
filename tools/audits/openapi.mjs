// Runs Redocly's linter on the API description.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { output } from '../../scripts/lib/output.mjs'
import { withPortal } from './tool.mjs'

/** The recommended rules, with these exceptions. */
const rules = {
  extends: ['recommended'],
  rules: {
    // The API has no separate licence.
    'info-license': 'off',
    // Each installation has its own address; this one runs on loopback.
    'no-server-example.com': 'off',
    // The specification has fixed segments next to IDs. Which path a request means is defined and tested:
    // edge-api/src/http/overlapping-paths.test.ts
    'no-ambiguous-paths': 'off',
  },
}

/** @param {{ tools: string }} options @returns {Promise<import('./tool.mjs').Outcome>} */
export const test = ({ tools }) =>
  withPortal(async ({ url }) => {
    const description = await (await fetch(`${url}/api/openapi.json`)).json()
    writeFileSync(path.join(tools, 'openapi.json'), JSON.stringify(description))
    writeFileSync(path.join(tools, 'redocly.yaml'), JSON.stringify(rules))
    const linter = path.join(tools, 'node_modules/@redocly/cli/bin/cli.js')
    const { out, err } = await output(process.execPath, [linter, 'lint', 'openapi.json', '--format=json'], {
      cwd: tools,
    })
    if (!out.startsWith('{')) throw new Error(err)
    const { problems } = JSON.parse(out)
    const found = problems.map(
      ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
    )
    return { summary: `${Object.keys(description.paths).length} paths linted`, found }
  })
