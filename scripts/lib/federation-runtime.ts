// Which build of the federation runtime goes into the apps, and by which name.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { rspack } from '@rspack/core'

const require = createRequire(import.meta.url)

// Rspack finds the federation runtime with require(), i.e. its CommonJS build, which cannot be tree-shaken.
const federation = createRequire(require.resolve('@module-federation/enhanced'))
const BUNDLER_RUNTIME = '@module-federation/webpack-bundler-runtime'
export const esRuntime = Object.fromEntries(
  [
    'webpack-bundler-runtime',
    'runtime',
    'runtime-tools',
    'runtime-tools/runtime-core',
    'inject-external-runtime-core-plugin',
  ].flatMap(part => {
    const id = `@module-federation/${part}`
    const commonJs = federation.resolve(id)
    const es = commonJs.replace(/\.cjs$/, '.js')
    if (!existsSync(es)) throw new Error(`no ES build of ${id}`)
    return [
      [commonJs, es],
      [`${id}$`, es],
    ]
  }),
)

// Rspack starts federation with a module that is its own address (`data:`) and names the runtime by its absolute path. Module
// ids come from addresses: by its name, the same sources make the same bytes in any folder.
export const runtimeByName = new rspack.NormalModuleReplacementPlugin(
  /^@module-federation\/runtime\/rspack\.js!=!data:/,
  module => {
    module.request = module.request.replace(
      encodeURIComponent(JSON.stringify(federation.resolve(BUNDLER_RUNTIME))),
      encodeURIComponent(JSON.stringify(BUNDLER_RUNTIME)),
    )
  },
)
