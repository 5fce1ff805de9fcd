// Part of `npm run verify`: every workspace names the packages that it imports. Exits 1 when one does not.
import { undeclaredImports } from './lib/declared.mjs'
import { root } from './lib/setup.mjs'

const found = undeclaredImports(root)
for (const each of found) console.error(each)
process.exit(found.length > 0 ? 1 : 0)
