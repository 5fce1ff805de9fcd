// `node tools/measure-bytes.mjs [--files] [--check]` measures what a browser without a cache loads, in kB with gzip and in
// requests: for the landing page until the network is idle, and for each dashboard until its first screen is usable. It starts
// a portal on free ports with an empty database. `--check` makes it fail if a budget is exceeded.

import { nodeBinary, run } from '../scripts/lib/setup.mjs'
import { measurePageWeights, scriptBytes } from './lib/page-weight.mjs'

const kB = bytes => (bytes / 1000).toFixed(1)

const buildExit = await run(nodeBinary(), ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] })
if (buildExit !== 0) process.exit(buildExit)
let isOverBudget = false
console.log('page             JavaScript kB gzip   budget   scripts   requests')
for (const page of await measurePageWeights()) {
  const { name, budget, files } = page
  const scripts = files.filter(file => file.script)
  const total = scriptBytes(page)
  if (total > budget * 1000) isOverBudget = true
  console.log(
    `${name.padEnd(17)}${kB(total).padStart(18)}${String(budget).padStart(9)}${String(scripts.length).padStart(10)}${String(files.length).padStart(11)}`,
  )
  if (!process.argv.includes('--files')) continue
  for (const { path: file, gzip } of scripts) console.log(`  ${kB(gzip).padStart(6)}  ${file}`)
}
if (isOverBudget && process.argv.includes('--check')) {
  console.error('Above the budget: see docs/benchmarks.md, "Front-end bytes".')
  process.exitCode = 1
}
