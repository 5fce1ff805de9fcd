// `npm run bench`: the benchmark table, ratios side by side in one run (docs/benchmarks.md); some minutes on two idle
// cores, and 15 GB of disk for as long. `npm run bench -- --quick` takes small sizes, `-- --only upload,growth` some parts.
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { nodeBinary, run, runModule, setUp } from '../scripts/lib/setup.mjs'

argumentsOf('npm run bench [-- --quick] [--only upload,growth]', {
  options: { quick: { type: 'boolean' }, only: { type: 'string' } },
})
await setUp()
const bundled = await run(nodeBinary(), ['edge-api/bundle.mjs'], { stdio: ['ignore', 2, 2] })
if (bundled !== 0) process.exit(bundled)
process.exit(await runModule('edge-api/bench/run.ts', process.argv.slice(2)))
