// Redocly's linter over the API description.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { output } from '../../scripts/lib/output.mjs'
import { withPortal } from './tool.mjs'

/** The recommended rules but for what does not hold here. */
const rules = {
  extends: ['recommended'],
  rules: {
    // The product is no public API under a licence of its own.
    'info-license': 'off',
    // Whoever runs a portal has its own address there; this one runs on loopback.
    'no-server-example.com': 'off',
    // Fixed words beside ids, as the specification names its paths; the router takes the fixed word first.
    'no-ambiguous-paths': 'off',
    // An object whose keys are the words of a list names them as pattern, not as properties.
    'no-required-schema-properties-undefined': 'off',
  },
}

/** @param {{ tools: string }} place @returns {Promise<import('./tool.mjs').Outcome>} */
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
