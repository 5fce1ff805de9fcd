// `npm run gallery -w @portal/ui` shows every component of the design system in every state, on PORT (4310) or the next free one.
import path from 'node:path'
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { freePortFrom } from '../scripts/lib/processes.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'

const USAGE = 'npm run gallery -w @portal/ui\nOn another port: PORT=4400 npm run gallery -w @portal/ui'
argumentsOf(USAGE)
await setUp()
const port = await freePortFrom('PORT', process.env.PORT || '4310').catch(error =>
  exitWithUsage(error.message, USAGE),
)
process.exit(
  await run(nodeBinary(), [path.join(root, 'packages/ui/gallery/serve.ts')], {
    env: toolEnvironment({ PORT: String(port) }),
  }),
)
