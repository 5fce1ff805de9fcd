// `npm run mock`: the mocked API as an HTTP server on MOCK_PORT (4310), for front ends without a browser's worker, for
// other languages and for tools. Everything is in memory: a new start is a new world.
import path from 'node:path'
import { argumentsOf } from './lib/arguments.mjs'
import { nodeBinary, root, run, setUp, toolEnvironment } from './lib/setup.mjs'

argumentsOf('npm run mock\nOn another port: MOCK_PORT=4400 npm run mock')
await setUp()
const script = path.join(root, 'scripts/lib/mock-server.mjs')
process.exit(
  await run(nodeBinary(), ['--disable-warning=ExperimentalWarning', script], { env: toolEnvironment() }),
)
