// `npm run keys -- list | rotate | revoke <name> | replace-ca` manages the keys that sign letters, and their CA (docs/letters.md).
import path from 'node:path'
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { root, runModule, setUp } from '../scripts/lib/setup.mjs'

const USAGE = 'npm run keys -- list | rotate | revoke <name> | replace-ca'
const { positionals } = argumentsOf(USAGE, { maxPositionals: 2 })
if (positionals[0] === 'revoke' && !positionals[1])
  exitWithUsage('Which key? To list the names: npm run keys -- list', USAGE)
await setUp()
const secrets = path.join(root, '.data/secrets.json')
process.exit(await runModule('edge-api/src/runtimes/keys.ts', [secrets, ...positionals]))
