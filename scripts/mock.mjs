// `npm run mock`: the mocked API as an HTTP server on MOCK_PORT (4310), for front ends without a browser's worker, for
// other languages and for tools. Everything is in memory: a new start is a new world.
import { argumentsOf } from './lib/arguments.mjs'
import { runModule, setUp } from './lib/setup.mjs'

argumentsOf('npm run mock\nOn another port: MOCK_PORT=4400 npm run mock')
await setUp()
process.exit(await runModule('scripts/lib/mock-server.mjs'))
