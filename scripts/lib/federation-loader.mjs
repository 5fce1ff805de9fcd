// A loader that removes unused parts of the federation runtime, which are a tenth of what a visitor loads: snapshots and
// preloading (the shell reads manifests itself), remotes known at build time (there are none), unused version range syntax,
// descriptions of errors, the debug mode of the log, and each remote's own copy of the runtime and its start code, because
// remotes use the shell's. The rest is unchanged.
import path from 'node:path'

const pathNextToThis = file => path.join(import.meta.dirname, file)
const pathInContract = file => pathNextToThis(path.join('../../packages/contract/src', file))

/**
 * A function that returns the code by which a file is replaced. Imports are relative to that file: an absolute path would
 * become part of the build and make it depend on the folder.
 * @typedef {(specifierOf: (file: string) => string) => string} Replacement
 */

/**
 * Replacements in the shell, by file.
 * @type {Record<string, Replacement>}
 */
const shellReplacements = {
  'webpack-bundler-runtime/dist/index.js': specifierOf => `
    import { init } from '@module-federation/runtime'
    import { CurrentGlobal, ModuleFederation, setGlobalFederationInstance } from '@module-federation/runtime-core'
    import { attachShareScopeMap } from './attachShareScopeMap.js'
    import { consumes } from './consumes.js'
    import { initContainerEntry } from './initContainerEntry.js'
    import { initializeSharing as I } from './initializeSharing.js'
    import { installInitialConsumes } from './installInitialConsumes.js'
    import { startFederation } from ${specifierOf(pathNextToThis('federation-start.mjs'))}

    function remoteInstance(options) {
      const existing = CurrentGlobal.__FEDERATION__.__INSTANCES__.find(item => item.options.name === options.name)
      if (existing) {
        existing.initOptions(options)
        return existing
      }
      const instance = new ModuleFederation(options)
      setGlobalFederationInstance(instance)
      return instance
    }
    const runtime = { attachShareScopeMap, consumes, I, init, initContainerEntry, installInitialConsumes, remoteInstance }
    export default (webpackRequire, options) => startFederation(webpackRequire, options, runtime)`,
  // When a build starts, all modules that it consumes are known; none is added later.
  'webpack-bundler-runtime/dist/updateOptions.js': () => `
    const nothing = () => undefined
    export { nothing as updateConsumeOptions, nothing as updateRemoteOptions }`,
  'runtime-core/dist/utils/semver/index.js': specifierOf =>
    `export { satisfy } from ${specifierOf(pathInContract('version-range.ts'))}`,
  'runtime-core/dist/plugins/snapshot/SnapshotHandler.js': () => `
    import { DisabledSnapshotHandler } from './disabled.js'
    export class SnapshotHandler extends DisabledSnapshotHandler {
      manifestCache = new Map()
    }
    export const getGlobalRemoteInfo = () => ({})`,
  // Error messages keep their code and the address of its description.
  'error-codes/dist/desc.mjs': () => `
    const none = {}
    export { none as buildDescMap, none as errorDescMap, none as runtimeDescMap, none as typeDescMap }`,
  // The runtime only prints warnings and errors; the stack traces of its debug mode are left out.
  'sdk/dist/logger.js': () => `
    const nothing = () => undefined
    const logWith = (method, prefix) => (...args) => console[method](prefix, ...args)
    export const createLogger = prefix => ({ warn: logWith('warn', prefix), error: logWith('error', prefix) })
    export const logger = createLogger('[ Module Federation ]')
    export { logger as infrastructureLogger, createLogger as createInfrastructureLogger, nothing as bindLoggerToCompiler }`,
  'runtime-core/dist/utils/preload.js': () => `
    const fail = () => {
      throw new Error('preloadRemote is not part of this build')
    }
    export { fail as defaultPreloadArgs, fail as formatPreloadArgs, fail as normalizePreloadExposes, fail as preloadAssets }`,
}

/**
 * Replacements in remotes, by file.
 * @type {Record<string, Replacement>}
 */
const remoteReplacements = {
  'webpack-bundler-runtime/dist/index.js': () => 'export default undefined',
}

/** The beginning of the start code that rspack writes into each build. */
const START = 'import __module_federation_bundler_runtime__'

const replacementsByKind = { shell: shellReplacements, remote: remoteReplacements }

/**
 * Returns the rspack rule for this loader.
 * @param {string} scope folder of `@module-federation`
 * @param {'shell' | 'remote'} kind
 */
export const leanFederation = (scope, kind) => ({
  oneOf: [
    { test: /^@module-federation\/runtime\/rspack\.js$/, loader: import.meta.filename, options: { kind } },
    {
      include: Object.keys(replacementsByKind[kind]).map(file => path.join(scope, file)),
      loader: import.meta.filename,
      options: { kind },
    },
  ],
})

/**
 * Returns a plugin that fails a build in which rspack's start code, or a file of the two tables above, is not among the
 * modules. Otherwise, if the federation runtime renamed its files, they would all be included without anyone noticing.
 * @param {'shell' | 'remote'} kind
 * @returns {import('@rspack/core').RspackPluginInstance}
 */
export const requireAllReplaced = kind => ({
  name: 'requireAllReplaced',
  apply(compiler) {
    compiler.hooks.compilation.tap('requireAllReplaced', compilation => {
      compilation.hooks.finishModules.tap('requireAllReplaced', modules => {
        const replacedModules = [...modules]
          .map(module => module.identifier())
          .filter(id => id.includes(import.meta.filename))
        const parts = [
          ...Object.keys(replacementsByKind[kind]),
          `data:text/javascript,${encodeURIComponent(START)}`,
        ]
        const missingParts = parts.filter(part => !replacedModules.some(id => id.includes(part)))
        if (missingParts.length > 0)
          throw new Error(`The federation runtime no longer contains ${missingParts.join(', ')}.`)
      })
    })
  },
})

/** Returns a call of the shell's start code (federation-start.mjs), which replaces that of rspack. */
function startOf(source, kind) {
  const [prelude, rest] = source.split('const runtimeRequire=__webpack_require__;')
  if (!rest) throw new Error('The start code that rspack generates for federation has changed.')
  const start = 'globalThis.portalFederation'
  return `${prelude}
    ${kind === 'shell' ? `${start} = __module_federation_bundler_runtime__` : ''}
    ${start}(__webpack_require__, {
      name: __module_federation_container_name__,
      shareStrategy: __module_federation_share_strategy__,
    })`
}

/**
 * Returns the source of a module, or its replacement.
 * @this {{ resourcePath: string, getOptions(): { kind: 'shell' | 'remote' } }}
 * @param {string} source
 * @returns {string}
 */
export default function replaceModule(source) {
  const { kind } = this.getOptions()
  if (source.startsWith(START)) return startOf(source, kind)
  const found = Object.entries(replacementsByKind[kind]).find(([file]) =>
    this.resourcePath.endsWith(path.normalize(file)),
  )
  if (!found) return source
  const folder = path.dirname(this.resourcePath)
  const specifierOf = file => JSON.stringify(path.relative(folder, file).split(path.sep).join('/'))
  return found[1](specifierOf)
}
