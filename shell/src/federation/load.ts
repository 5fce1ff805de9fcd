import {
  getInstance,
  loadRemote,
  registerPlugins,
  registerRemotes,
} from '@module-federation/enhanced/runtime'
import type { Compatibility } from '@portal/contract/compatibility'
import type { RemoteModule, RemoteName, RemoteRelease } from '@portal/contract/remote'
import { CONTRACT, START } from '@portal/contract/version'
import { assertCompatible, requireContract, TIME_LIMIT_MS, withTimeout } from './checks.ts'
import { releaseFor } from './choose.ts'
import { expireConfig, loadRemotesConfig } from './config.ts'
import { takeEarlyManifest } from './early.ts'
import { readManifestEntry } from './manifest.ts'
import { retryWithoutCache, uncachedUrl } from './retries.ts'

/** The release of each remote that was most recently requested. */
const releases = new Map<string | undefined, RemoteRelease>()

/** Returns the name of the release from which a remote is loaded, if its pointer has one. */
export const loadedRelease = (name: string): string | undefined => releases.get(name)?.release

/** Returns what this shell provides for remotes: the contract version and the shared packages. */
function describeShell(): Compatibility {
  const scope = getInstance()?.shareScopeMap.default ?? {}
  const shared = Object.entries(scope).map(([name, versions]) => [name, Object.keys(versions)[0] ?? ''])
  return { contract: CONTRACT, start: START, shared: Object.fromEntries(shared) }
}

// The hash of the manifest and of the entry is in remotes.json; the entry has the hashes of its own chunks and styles.
registerPlugins([
  {
    name: 'portal-integrity',
    createScript({ url, remoteInfo }) {
      const script = document.createElement('script')
      script.crossOrigin = 'anonymous'
      const pin = releases.get(remoteInfo?.name)?.integrity
      if (pin) script.integrity = pin.entry
      script.src = uncachedUrl(url)
      return script
    },
  },
])

const manifestAddresses = new Map<string, string>()

/**
 * Reads a release's manifest. The runtime's own reader includes snapshots and preloading, which are not used here and add 4 kB
 * to every first visit.
 */
async function readManifest(manifest: string, integrity: string | undefined): Promise<unknown> {
  const response = await fetch(manifest, {
    credentials: 'omit',
    cache: 'no-cache',
    // A request that hangs would block later requests for the same address.
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
    ...(integrity && { integrity }),
  })
  if (!response.ok) throw new Error(`${manifest}: HTTP ${response.status}`)
  return response.json()
}

async function registerRemote(name: RemoteName, isRetry: boolean) {
  const config = await loadRemotesConfig()
  const pointer = config.remotes.find(remote => remote.name === name)
  if (!pointer) throw new Error(`remotes.json names no ${name}`)
  const release = await releaseFor(pointer)
  releases.set(name, release)
  assertCompatible(name, release.needs, describeShell())
  const manifest = new URL(release.manifest, location.href).href
  const registeredManifest = manifestAddresses.get(name)
  if (registeredManifest === manifest && !isRetry) return
  const read = () => readManifest(manifest, release.integrity?.manifest)
  const content = await (takeEarlyManifest(release.manifest)?.catch(read) ?? read())
  const { entry, entryGlobalName } = readManifestEntry(content, manifest)
  manifestAddresses.set(name, manifest)
  if (isRetry) retryWithoutCache(manifest)
  // With `force`, the runtime drops the module that it has already loaded.
  registerRemotes([{ name, entry, entryGlobalName }], { force: registeredManifest !== undefined })
}

/** Loads a remote within its time limit. With `isRetry`, rereads remotes.json and clears earlier failures. */
export async function loadModule(name: RemoteName, isRetry: boolean): Promise<RemoteModule> {
  if (isRetry) expireConfig()
  const loading = registerRemote(name, isRetry).then(() => loadRemote<RemoteModule>(`${name}/routes`))
  // The module of the landing page is not validated: it has no menu, and its boundary catches everything else. All code that is
  // loaded later is one chunk, because the shell contains the hash of each chunk.
  const parsing =
    name === 'mfe-public'
      ? undefined
      : import(/* webpackChunkName: "later" */ '@portal/contract/remote-module')
  const [exposed, parser] = await withTimeout(name, Promise.all([loading, parsing]))
  const module = requireContract(name, exposed)
  return parser ? parser.parseRemoteModule(module) : module
}
