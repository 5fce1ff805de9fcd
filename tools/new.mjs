// `npm run new -- screen <mfe> <name>`, `npm run new -- route <domain> <name>` and `npm run new -- mfe <name> --role <role>`
// generate all files of a screen, route or micro-frontend; see docs/guides. Nothing is written unless everything can be.
import path from 'node:path'
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { nodeBinary, root, run, setUp } from '../scripts/lib/setup.mjs'
import { Changes } from './generate/changes.mjs'
import { newMicroFrontend } from './generate/mfe.mjs'
import { Refusal } from './generate/names.mjs'
import { newRoute } from './generate/route.mjs'
import { newScreen } from './generate/screen.mjs'

const USAGE = `npm run new -- screen <mfe> <name> [--title "Shown Name"]
npm run new -- route <domain> <name> [--access user|admin|super_admin] [--path /address]
npm run new -- mfe <name> --role user|admin|super_admin [--title "Shown Name"]   (or: micro-frontend)`

const guides = { screen: 'first-screen.md', route: 'first-route.md', mfe: 'first-micro-frontend.md' }
const generators = { screen: newScreen, route: newRoute, mfe: newMicroFrontend }

async function main() {
  const { values, positionals } = argumentsOf(USAGE, {
    options: {
      title: { type: 'string' },
      role: { type: 'string' },
      access: { type: 'string' },
      path: { type: 'string' },
    },
    maxPositionals: 3,
  })
  const [kindName = '', ...names] = positionals
  const kind = kindName === 'micro-frontend' ? 'mfe' : kindName
  const generate = generators[kind]
  if (!generate) throw new Refusal(USAGE)
  await setUp()
  const changes = new Changes(root)
  const nextSteps = await generate(changes, names, values)
  const files = await changes.write()
  // Biome sorts the imports and formats. The linter is not run, because it would scan the whole workspace, which takes seconds;
  // `npm run verify` runs it.
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
  const sources = files.filter(file => /\.(?:tsx?|json)$/.test(file))
  const formatExit = await run(
    nodeBinary(),
    [biome, 'check', '--write', '--linter-enabled=false', '--log-level=error', ...sources],
    {
      stdio: ['ignore', 'ignore', 2],
    },
  )
  if (formatExit !== 0) throw new Refusal('biome reported errors in the generated files; see above.')
  for (const file of files) console.log(`${changes.createdFiles.has(file) ? 'new    ' : 'changed'} ${file}`)
  // npm adds the new workspace to the lock file.
  if (
    kind === 'mfe' &&
    (await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'])) !== 0
  )
    throw new Refusal('npm install failed; run it again with access to the registry.')
  const steps = [...nextSteps, { run: 'npm run verify', does: 'format, types, boundaries' }]
  const lines = steps.map(step => `  # ${step.does}\n  ${step.run}`)
  console.log(`\nNext:\n${lines.join('\n')}\nStep by step: docs/guides/${guides[kind]}`)
}

main().catch(error => {
  // Errors of the system, such as missing permissions, already name the location and the reason.
  console.error(error instanceof Refusal || error?.syscall ? error.message : error)
  process.exitCode = 1
})
