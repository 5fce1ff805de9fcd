// `npm run dev -w mfe-user`: one micro-frontend with hot reload, its API answered by the mocks inside the page. npm runs
// this in the micro-frontend's own folder. Another port: PORT=4400 npm run dev -w mfe-user.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import path from 'node:path'
import { microFrontends } from './lib/apps.mjs'
import { endWithParent, nodeBinary, root, setUp, toolEnvironment } from './lib/setup.mjs'

const HOST = '127.0.0.1'

/** @param {number} port */
const isFree = port =>
  new Promise(resolve => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })

/** The port asked for, or the next one that nobody uses. @param {number} wanted */
async function portFrom(wanted) {
  for (let port = wanted; port < wanted + 100; port += 1) if (await isFree(port)) return port
  throw new Error(`No port from ${wanted} to ${wanted + 99} is free. Choose one: PORT=5400 npm run dev -w …`)
}

await setUp()
const app = microFrontends().find(({ name }) => path.join(root, name) === process.cwd())
if (!app) throw new Error('Run it in the folder of a micro-frontend: npm run dev -w mfe-user')
const wanted = Number(process.env.PORT || app.port)
const port = await portFrom(wanted)
if (port !== wanted) console.log(`Port ${wanted} is taken; ${app.name} takes ${port}.`)

const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js')
const args = ['serve', '-c', '../rspack.config.ts', '--mode', 'development', '--env', `app=${app.name}`]
const child = spawn(nodeBinary(), [rspack, ...args], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: toolEnvironment({ DEV_PORT: String(port) }),
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
