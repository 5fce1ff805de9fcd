// `npm run dev -w mfe-user`: one micro-frontend with hot reload, its API answered by the mocks inside the page. The shell
// too, over the API on API_PORT: `npm run dev -w shell`. npm runs this in the app's own folder. HOST and PORT say where it
// listens; another address than this machine's own is for containers, whose port is handed on to a localhost: only there,
// or over https, does a browser take the mocks' worker.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { apps } from './lib/apps.mjs'
import { argumentsOf, misused } from './lib/arguments.mjs'
import { freePortFrom } from './lib/processes.mjs'
import { endWithParent, nodeBinary, root, setUp, toolEnvironment } from './lib/setup.mjs'

const app = apps().find(({ name }) => path.join(root, name) === process.cwd())
const USAGE = `npm run dev -w ${app?.name ?? 'mfe-user'}\nOn another port: PORT=4400 npm run dev -w ${app?.name ?? 'mfe-user'}`
argumentsOf(USAGE)
if (!app) misused('Which app? It is the one in whose folder this is run.', USAGE)

await setUp()
const host = process.env.HOST || '127.0.0.1'
const wanted = process.env.PORT || String(app.port)
const port = await freePortFrom('PORT', wanted, host).catch(error => misused(error.message, USAGE))
if (String(port) !== wanted) console.log(`Port ${wanted} is taken; ${app.name} takes ${port}.`)

const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js')
const args = ['serve', '-c', '../rspack.config.ts', '--mode', 'development', '--env', `app=${app.name}`]
const child = spawn(nodeBinary(), [rspack, ...args], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: toolEnvironment({ DEV_PORT: String(port), DEV_HOST: host }),
})
let said = false
child.stdout.on('data', chunk => {
  process.stdout.write(chunk)
  if (said || !/compiled/.test(String(chunk))) return
  said = true
  console.log(`ready http://localhost:${port}`)
})
child.on('exit', code => process.exit(code ?? 1))
endWithParent(() => child.kill())
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal))
