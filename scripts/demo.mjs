// `npm run demo`: the whole portal, as it would be released, in one folder of files that any static host can show, also
// below another address than the root. The mocks inside the page answer instead of the API. `--serve` shows it here, on
// DEMO_PORT (4320) or the next free port; `--out <folder>` puts it elsewhere than dist/demo.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, misused } from './lib/arguments.mjs'
import { isPort, wrongPort } from './lib/processes.mjs'
import { endWithParent, nodeBinary, root, run, setUp, toolEnvironment } from './lib/setup.mjs'

const USAGE = 'npm run demo [-- --serve] [--out <folder>]'
const { values } = argumentsOf(USAGE, {
  options: { serve: { type: 'boolean' }, out: { type: 'string' } },
})
const folder = path.resolve(values.out ?? path.join(root, 'dist/demo'))

const port = process.env.DEMO_PORT || '4320'
if (values.serve && !isPort(port)) misused(wrongPort('DEMO_PORT', port), USAGE)
await setUp()
const { buildDemo, isDemo } = await import('./lib/demo-files.mjs')
if (existsSync(folder) && !isDemo(folder)) {
  console.error(`${folder} is something else than a demonstration: choose a new folder, --out <folder>.`)
  process.exit(1)
}
const code = await run(nodeBinary(), [path.join(root, 'scripts/build.mjs')], {
  env: toolEnvironment({ RELEASES_FOLDER: path.join(root, '.tmp/demo-releases') }),
  stdio: ['ignore', 2, 2],
})
if (code !== 0) process.exit(code)
const { files, bytes } = await buildDemo(path.join(root, '.tmp/demo-releases'), folder)
console.log(`${path.relative(process.cwd(), folder)}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB`)

if (values.serve) {
  const { serveFolder } = await import('./lib/static-server.mjs')
  const { url } = await serveFolder(folder, Number(port))
  endWithParent(() => process.exit(0))
  console.log(`ready ${url}`)
}
