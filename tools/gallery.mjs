// `npm run gallery -w @portal/ui` runs the component workshop with hot reload, on PORT (4330) or the next free one.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { freePortFrom } from '../scripts/lib/processes.mjs'
import { endWithParent, nodeBinary, root, setUp, toolEnvironment } from '../scripts/lib/setup.mjs'

const USAGE = 'npm run gallery -w @portal/ui\nOn another port: PORT=4400 npm run gallery -w @portal/ui'
argumentsOf(USAGE)
await setUp()
const port = await freePortFrom('PORT', process.env.PORT || '4330').catch(error =>
  exitWithUsage(error.message, USAGE),
)
const child = spawn(nodeBinary(), [path.join(root, 'tools/gallery/serve.ts')], {
  stdio: 'inherit',
  env: toolEnvironment({ PORT: String(port) }),
})
child.on('exit', code => process.exit(code ?? 1))
endWithParent(() => child.kill())
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal))
