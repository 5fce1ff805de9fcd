// `npm run demo` writes the whole portal, as released, to a folder that any static host can serve, at any path. Mocks inside
// the page replace the API. `--serve` serves it locally on DEMO_PORT (4320) or the next free port; `--out <folder>` changes the
// folder (default `dist/demo`).
import { existsSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, exitWithUsage } from './lib/arguments.mjs'
import { invalidPortMessage, isPort } from './lib/processes.mjs'
import { endWithParent, nodeBinary, root, run, setUp, toolEnvironment } from './lib/setup.mjs'

const USAGE = 'npm run demo [-- --serve] [--out <folder>]'
const { values } = argumentsOf(USAGE, {
  options: { serve: { type: 'boolean' }, out: { type: 'string' } },
})
const folder = path.resolve(values.out ?? path.join(root, 'dist/demo'))

const port = process.env.DEMO_PORT || '4320'
if (values.serve && !isPort(port)) exitWithUsage(invalidPortMessage('DEMO_PORT', port), USAGE)
await setUp()
const { buildDemo, isDemo } = await import('./lib/demo-files.mjs')
if (existsSync(folder) && !isDemo(folder)) {
  console.error(`${folder} is not a demo folder: choose a new folder with --out <folder>.`)
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
