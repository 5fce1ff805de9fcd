// Selects the build of the federation runtime and its module name.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { rspack } from '@rspack/core'

const require = createRequire(import.meta.url)

// Rspack resolves the federation runtime with require(), which finds its CommonJS build. That cannot be tree-shaken, so the ES
// module build is selected here.
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

// Rspack starts federation with a `data:` module that contains the absolute path of the runtime. Module IDs are derived from
// that address, so the package name is used instead, which makes builds independent of the path of the checkout.
export const runtimeByName = new rspack.NormalModuleReplacementPlugin(
  /^@module-federation\/runtime\/rspack\.js!=!data:/,
  module => {
    module.request = module.request.replace(
      encodeURIComponent(JSON.stringify(federation.resolve(BUNDLER_RUNTIME))),
      encodeURIComponent(JSON.stringify(BUNDLER_RUNTIME)),
    )
  },
)
