// `npm run dev -w mfe-user` runs one micro-frontend with hot reload on mocks inside the page; `npm run dev -w shell` runs the
// shell with the API on API_PORT. npm runs this script in the app's folder. HOST and PORT set the address. A HOST other than
// loopback is for containers with port forwarding: browsers accept the mocks' service worker only on localhost or over https.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { apps } from './lib/apps.mjs'
import { argumentsOf, exitWithUsage } from './lib/arguments.mjs'
import { freePortFrom } from './lib/processes.mjs'
import { endWithParent, nodeBinary, root, setUp, toolEnvironment } from './lib/setup.mjs'

const app = apps().find(({ name }) => path.join(root, name) === process.cwd())
const appName = app?.name ?? 'mfe-user'
const USAGE = `npm run dev -w ${appName}
On another port:        PORT=4400 npm run dev -w ${appName}
In a running portal:    npm run dev -w ${appName} -- --portal https://staging.example.org
  --origin <origin>     where that portal's pages reach this server, if not at http://localhost:<port>`
const { values } = argumentsOf(USAGE, { options: { portal: { type: 'string' }, origin: { type: 'string' } } })
if (!app) exitWithUsage('Run this in the folder of an app: npm run dev -w <app>', USAGE)

await setUp()
const host = process.env.HOST || '127.0.0.1'
const requestedPort = process.env.PORT || String(app.port)
const port = await freePortFrom('PORT', requestedPort, host).catch(error =>
  exitWithUsage(error.message, USAGE),
)
if (String(port) !== requestedPort) console.log(`Port ${requestedPort} is in use; ${app.name} uses ${port}.`)

const { portal } = values
if (portal && !URL.canParse(portal)) exitWithUsage(`${portal} is not a URL.`, USAGE)
const origin = values.origin ?? `http://localhost:${port}`

const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js')
const args = ['serve', '-c', '../rspack.config.ts', '--mode', 'development', '--env', `app=${app.name}`]
const child = spawn(nodeBinary(), [rspack, ...args], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: toolEnvironment({
    DEV_PORT: String(port),
    DEV_HOST: host,
    ...(portal && { DEV_PORTAL: portal, DEV_ORIGIN: origin }),
  }),
})
let isAnnounced = false
child.stdout.on('data', chunk => {
  process.stdout.write(chunk)
  if (isAnnounced || !/compiled/.test(String(chunk))) return
  isAnnounced = true
  console.log(`ready http://localhost:${port}`)
  if (!portal) return
  const overridesPage = new URL('/overrides', portal)
  overridesPage.search = String(new URLSearchParams({ name: app.name, origin }))
  console.log(`To see it in ${portal}, open ${overridesPage}`)
})
child.on('exit', code => process.exit(code ?? 1))
endWithParent(() => child.kill())
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal))
