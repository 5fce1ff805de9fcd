// `npm run keys -- list | rotate | revoke <name>`: the keys that letters are signed with; docs/letters.md says when.
import path from 'node:path'
import { nodeBinary, root, run, setUp } from './lib/setup.mjs'

await setUp()
const script = path.join(root, 'edge-api/src/runtimes/keys.ts')
const secrets = path.join(root, '.data/secrets.json')
process.exit(
  await run(nodeBinary(), [
    '--disable-warning=ExperimentalWarning',
    script,
    secrets,
    ...process.argv.slice(2),
  ]),
)
