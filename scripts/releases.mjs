// `npm run releases -- list|promote|rollback|follow|clean` and `npm run release -w <micro-frontend>` manage the releases of a
// micro-frontend. `npm run releases -- help` lists all commands; see docs/shipping.md.
import { runModule, setUp } from './lib/setup.mjs'

await setUp()
process.exit(await runModule('scripts/shipping/main.mjs', process.argv.slice(2), { cwd: process.cwd() }))
