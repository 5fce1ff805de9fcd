// `npm run releases -- list|promote|rollback|follow|clean`, and `npm run release -w <micro-frontend>`: ships a
// micro-frontend on its own. `npm run releases -- help` lists what there is; docs/shipping.md tells the whole story.
import { runModule, setUp } from './lib/setup.mjs'

await setUp()
process.exit(await runModule('scripts/shipping/main.mjs', process.argv.slice(2), { cwd: process.cwd() }))
