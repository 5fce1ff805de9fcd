// `npm run mock` serves the mocked API over HTTP on PORT (4310), for tools and for front ends without a service worker or in
// other languages. Its data is in memory; it is lost when the server stops, or restarts because a handler has changed.
// MOCKS=slow,fail:… sets conditions.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import path from 'node:path'
import { argumentsOf } from './lib/arguments.mjs'
import { stopAll } from './lib/processes.mjs'
import { endWithParent, nodeBinary, root, setUp, toolEnvironment } from './lib/setup.mjs'

argumentsOf(
  'npm run mock\nOn another port, slow, with a call that fails: PORT=4400 MOCKS=slow,fail:verification.history npm run mock',
)
await setUp()

/** How long to wait for further changes before a restart, in milliseconds: editors write a file in several steps. */
const QUIET_MS = 300
const server = path.join(root, 'scripts/lib/mock-server.mjs')
let isChanging = false
/** True once the server has responded. After that, a server that has failed is started again at the next change. */
let hasStarted = false

function start() {
  const child = spawn(nodeBinary(), ['--disable-warning=ExperimentalWarning', server], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: toolEnvironment(),
  })
  child.stdout.on('data', chunk => {
    hasStarted = true
    process.stdout.write(chunk)
  })
  child.on('exit', code => {
    if (isChanging) return
    if (!hasStarted || isStopping) process.exit(code ?? 1)
    console.error('The mocks wait for the next change.')
  })
  return child
}

let isStopping = false
let child = start()
function stop() {
  isStopping = true
  if (child.exitCode !== null) process.exit(0)
  child.kill()
}
endWithParent(stop)
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop)

async function restart() {
  isChanging = true
  await stopAll([child])
  isChanging = false
  if (!isStopping) child = start()
}

let timer
for (const folder of ['contract', 'fixtures', 'mocks', 'rules'])
  watch(path.join(root, 'packages', folder, 'src'), { recursive: true }, (_event, file) => {
    if (!file || /\.test\.tsx?$/.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(restart, QUIET_MS)
  })
