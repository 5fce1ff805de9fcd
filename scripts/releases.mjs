// `npm run releases -- list|promote|rollback|follow|clean`, and `npm run release -w <micro-frontend>`: ships a
// micro-frontend on its own. `npm run releases -- help` lists what there is; docs/shipping.md tells the whole story.
import path from 'node:path'
import { nodeBinary, root, run, setUp } from './lib/setup.mjs'

await setUp()
const script = path.join(root, 'scripts/shipping/main.mjs')
const args = ['--disable-warning=ExperimentalWarning', script, ...process.argv.slice(2)]
process.exit(await run(nodeBinary(), args, { cwd: process.cwd() }))
