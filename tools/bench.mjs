// `npm run bench` prints the benchmark table; its ratios are measured in one run (docs/benchmarks.md). This takes several
// minutes on two idle cores, and temporarily needs 15 GB of disk space. `npm run bench -- --quick` uses small sizes;
// `npm run bench -- --only upload,growth` runs only these parts.
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { nodeBinary, run, runModule, setUp } from '../scripts/lib/setup.mjs'

argumentsOf('npm run bench [-- --quick] [--only upload,growth]', {
  options: { quick: { type: 'boolean' }, only: { type: 'string' } },
})
await setUp()
const bundleExit = await run(nodeBinary(), ['edge-api/bundle.mjs'], { stdio: ['ignore', 2, 2] })
if (bundleExit !== 0) process.exit(bundleExit)
process.exit(await runModule('edge-api/bench/run.ts', process.argv.slice(2)))
