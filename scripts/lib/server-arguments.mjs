// Prints the arguments with which an assembled folder (`npm run assemble -- server`) starts `server` or `sandbox` on Deno, one a
// line: permissions depend on the variables. Creates the folders of its data.
import { denoArguments } from './deno-rights.mjs'
import { made, planOf, rightsOf } from './portal.mjs'

const [entry = 'server'] = process.argv.slice(2)
const rights = rightsOf(planOf(process.env), process.env)
const own = entry === 'sandbox' ? rights.gateway : rights.portal
try {
  for (const folder of own.writable) made(folder)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
console.log(denoArguments(`app/${entry}.js`, process.env, own).join('\n'))
