// Prints the arguments with which `server` or `sandbox` of an assembled folder (`npm run assemble -- server`) is started on
// Deno, one per line. They are not constant, because permissions depend on the variables. Creates the folders for its data.
import { denoArguments } from './deno-permissions.mjs'
import { buildPermissions, makePrivateFolder, planOf } from './portal.mjs'

const [entry = 'server'] = process.argv.slice(2)
const permissions = buildPermissions(planOf(process.env), process.env)
const processPermissions = entry === 'sandbox' ? permissions.gateway : permissions.portal
try {
  for (const folder of processPermissions.writable) makePrivateFolder(folder)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
console.log(denoArguments(`app/${entry}.js`, process.env, processPermissions).join('\n'))
