// A loader that leaves out of the federation runtime what this portal cannot use, a tenth of all that a visitor loads:
// snapshots and preloading (the shell reads manifests itself), remotes known when the shell is built (there are none),
// and a second copy of the runtime in each remote, which takes the shell's. The rest is taken as it comes.
import path from 'node:path'

/** @type {Record<string, string>} */
const inShell = {
  'webpack-bundler-runtime/dist/index.js': `
    import { init as start } from '@module-federation/runtime'
    import { CurrentGlobal, ModuleFederation, setGlobalFederationInstance } from '@module-federation/runtime-core'
    import { attachShareScopeMap } from './attachShareScopeMap.js'
    import { consumes } from './consumes.js'
    import { initializeSharing as I } from './initializeSharing.js'
    import { installInitialConsumes } from './installInitialConsumes.js'

    globalThis.portalFederation = {
      consumes, I, installInitialConsumes, attachShareScopeMap,
      CurrentGlobal, ModuleFederation, setGlobalFederationInstance,
    }
    const init = ({ webpackRequire }) => start(webpackRequire.federation.initOptions)
    export default {
      bundlerRuntime: { consumes, I, S: {}, installInitialConsumes, init, remotes: () => undefined },
      attachShareScopeMap,
      bundlerRuntimeOptions: {},
    }`,
  'runtime-core/dist/plugins/snapshot/SnapshotHandler.js': `
    import { DisabledSnapshotHandler } from './disabled.js'
    export class SnapshotHandler extends DisabledSnapshotHandler {
      manifestCache = new Map()
    }
    export const getGlobalRemoteInfo = () => ({})`,
  'runtime-core/dist/utils/preload.js': `
    const off = () => {
      throw new Error('preloadRemote is not part of this build')
    }
    export { off as defaultPreloadArgs, off as formatPreloadArgs, off as normalizePreloadExposes, off as preloadAssets }`,
}

/** @type {Record<string, string>} */
const inRemotes = {
  'webpack-bundler-runtime/dist/index.js': `
    import { initContainerEntry } from './initContainerEntry.js'

    const shell = globalThis.portalFederation
    const { consumes, I, installInitialConsumes, attachShareScopeMap } = shell

    function init({ webpackRequire }) {
      const options = webpackRequire.federation.initOptions
      const known = shell.CurrentGlobal.__FEDERATION__.__INSTANCES__.find(one => one.options.name === options.name)
      if (known) {
        known.initOptions(options)
        return known
      }
      const instance = new shell.ModuleFederation(options)
      shell.setGlobalFederationInstance(instance)
      return instance
    }
    export default {
      bundlerRuntime: { consumes, I, S: {}, installInitialConsumes, init, initContainerEntry },
      attachShareScopeMap,
      bundlerRuntimeOptions: {},
    }`,
}

const tables = { shell: inShell, remote: inRemotes }

/**
 * The rule that puts it to use.
 * @param {string} scope folder of `@module-federation`
 * @param {'shell' | 'remote'} kind
 */
export const leanFederation = (scope, kind) => ({
  include: Object.keys(tables[kind]).map(file => path.join(scope, file)),
  loader: import.meta.filename,
  options: { kind },
})

/**
 * @this {{ resourcePath: string, getOptions(): { kind: 'shell' | 'remote' } }}
 * @param {string} source
 * @returns {string}
 */
export default function leaveOut(source) {
  const { kind } = this.getOptions()
  const found = Object.entries(tables[kind]).find(([file]) =>
    this.resourcePath.endsWith(path.normalize(file)),
  )
  return found ? found[1] : source
}
