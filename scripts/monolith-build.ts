import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Configuration, rspack } from '@rspack/core'
import configurations from '../rspack.config.ts'
import { microFrontends } from './lib/apps.mjs'
import { root } from './lib/setup.mjs'

/*
 * `node scripts/monolith-build.ts <folder>` builds the front ends as one application without federation: the shell with the
 * micro-frontends inside. A portal can serve the folder as its releases. Only edge-api/bench/pages.ts uses it.
 */

const POINTER = { revision: 'monolith', api: '/api', remotes: [] }

/** Replaces the shell's `federation/load.ts`: no release is looked up, and pages are still loaded lazily. */
const load = `
  const modules = {
    ${microFrontends()
      .map(
        ({ name }) => `'${name}': () => import(${JSON.stringify(path.join(root, name, 'src/routes.tsx'))}),`,
      )
      .join('\n')}
  }
  export const loadedRelease = () => undefined
  export const loadModule = name => modules[name]()`

/** Replaces the shell's `federation/config.ts`: there is no pointer, and no origin other than the page's. */
const config = `
  const none = ${JSON.stringify(POINTER)}
  export const loadRemotesConfig = async () => none
  export const knownRemotes = () => none
  export const isOverridden = () => false
  export const scriptOrigins = () => new Set([location.origin])`

/** Returns the shell's configuration without federation. */
function configuration(folder: string): Configuration {
  const [shell] = configurations({ app: 'shell' }, { mode: 'production' })
  if (!shell) throw new Error('rspack.config.ts has no shell')
  const isFederation = (item: unknown) =>
    typeof item === 'object' &&
    item !== null &&
    ('oneOf' in item ||
      item.constructor.name === 'ModuleFederationPlugin' ||
      ('name' in item && item.name === 'requireAllReplaced'))
  const replacedFile = (file: string) => path.join(root, 'shell/src/federation', file)
  return {
    ...shell,
    devtool: false,
    plugins: (shell.plugins ?? []).filter(plugin => !isFederation(plugin)),
    module: { ...shell.module, rules: (shell.module?.rules ?? []).filter(rule => !isFederation(rule)) },
    output: { ...shell.output, path: path.join(folder, 'shell') },
    resolve: {
      ...shell.resolve,
      alias: {
        ...shell.resolve?.alias,
        [replacedFile('load.ts')]: path.join(folder, 'load.js'),
        [replacedFile('config.ts')]: path.join(folder, 'config.js'),
      },
    },
  }
}

const folder = path.resolve(process.argv[2] ?? '')
await mkdir(folder, { recursive: true })
await writeFile(path.join(folder, 'load.js'), load)
await writeFile(path.join(folder, 'config.js'), config)
// The server reads the pointer for its content security policy.
await writeFile(path.join(folder, 'remotes.json'), JSON.stringify(POINTER))
rspack(configuration(folder)).run((error, stats) => {
  if (!error && !stats?.hasErrors()) return
  console.error(error ?? stats?.toString('errors-only'))
  process.exitCode = 1
})
