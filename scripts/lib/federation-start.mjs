// The code that starts federation in the shell and each remote. It replaces the code that rspack would write into each of them:
// 4.5 kB (1.3 kB compressed), mostly for remotes known at build time and tree-shaken shared packages, neither of which exist
// here. Only the shell contains this file.

const isDefined = value => value !== undefined

/** Returns the shared packages of a build in the runtime's format. */
function sharedOf({ scopeToSharingDataMapping = {} } = {}) {
  const shared = {}
  for (const [scope, stages] of Object.entries(scopeToSharingDataMapping))
    for (const { name, version, factory, eager, singleton, requiredVersion, strictVersion } of stages) {
      const settings = Object.entries({ singleton, requiredVersion, eager, strictVersion })
      const shareConfig = Object.fromEntries(settings.filter(([, value]) => isDefined(value)))
      shared[name] ??= []
      shared[name].push({ version, scope: [scope], shareConfig, get: factory })
    }
  return shared
}

/** Returns the source of each module that a build takes from the shared packages. */
const handlersOf = ({ moduleIdToConsumeDataMapping = {} }) =>
  Object.fromEntries(
    Object.entries(moduleIdToConsumeDataMapping).map(([id, { shareKey, shareScope, fallback, ...data }]) => {
      const { requiredVersion, strictVersion, singleton, eager } = data
      const shareConfig = { fixedDependencies: false, requiredVersion, strictVersion, singleton, eager }
      return [id, { getter: fallback, shareKey, shareInfo: { shareConfig, scope: [shareScope] } }]
    }),
  )

/**
 * Makes a remote load its styles from the same address as its scripts. A remote is retried at another address
 * (shell/src/federation/retries.ts), because browsers remember that a style sheet failed at its address. For scripts, the
 * shell's policy does this.
 */
function addRetryQueryToStyles(webpackRequire) {
  const { k: nameOf } = webpackRequire
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript)
  const retryQuery = /\?.*/.exec(script?.src ?? '')
  if (nameOf && retryQuery) webpackRequire.k = chunkId => nameOf(chunkId) + retryQuery
}

/**
 * Starts federation in the shell, or in a remote that the shell has loaded.
 * @param webpackRequire the build's own `__webpack_require__`
 * @param settings name and share strategy of the build
 * @param runtime the parts of the federation runtime, from the shell
 */
export function startFederation(webpackRequire, settings, runtime) {
  const { federation, initializeExposesData: exposed, consumesLoadingData: consumed = {} } = webpackRequire
  const [installedModules, initPromises, initTokens] = [{}, {}, {}]
  const moduleToHandlerMapping = handlersOf(consumed)
  const moduleContext = { webpackRequire, installedModules, moduleToHandlerMapping }
  federation.attachShareScopeMap = runtime.attachShareScopeMap
  federation.bundlerRuntimeOptions = {}
  federation.initOptions = {
    ...settings,
    shared: sharedOf(webpackRequire.initializeSharingData),
    remotes: [],
    plugins: [],
  }
  webpackRequire.f.consumes = (chunkId, promises) =>
    runtime.consumes({ ...moduleContext, chunkId, promises, chunkMapping: consumed.chunkMapping ?? {} })
  webpackRequire.I = (shareScopeName, initScope) =>
    runtime.I({ shareScopeName, initScope, initPromises, initTokens, webpackRequire })
  if (exposed) {
    addRetryQueryToStyles(webpackRequire)
    webpackRequire.initContainer = (shareScope, initScope, remoteEntryInitOptions) =>
      runtime.initContainerEntry({
        shareScope,
        initScope,
        remoteEntryInitOptions,
        shareScopeKey: exposed.shareScope,
        webpackRequire,
      })
    webpackRequire.getContainer = async name => {
      if (!Object.hasOwn(exposed.moduleMap, name)) throw new Error(`The container has no ${name}.`)
      return exposed.moduleMap[name]()
    }
  }
  federation.instance = (exposed ? runtime.remoteInstance : runtime.init)(federation.initOptions)
  const { initialConsumes } = consumed
  if (initialConsumes) runtime.installInitialConsumes({ ...moduleContext, initialConsumes })
}
