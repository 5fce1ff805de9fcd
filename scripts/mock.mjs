// `npm run mock` serves the mocked API over HTTP on MOCK_PORT (4310), for front ends without a service worker, other
// languages and tools. Data is in memory and lost when it stops.
import { argumentsOf } from './lib/arguments.mjs'
import { runModule, setUp } from './lib/setup.mjs'

argumentsOf('npm run mock\nOn another port: MOCK_PORT=4400 npm run mock')
await setUp()
process.exit(await runModule('scripts/lib/mock-server.mjs'))
