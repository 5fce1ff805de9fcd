import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime'
import type { RemoteModule, RemoteName } from '@portal/contract/remote'
import { CONTRACT } from '@portal/contract/version'
import { expireConfig, pinsOf, remotesConfig } from './config.ts'
import { afresh, startAfresh } from './retries.ts'

/** How long a remote, or a page of it, may take to arrive. */
export const TIME_LIMIT_MS = 15_000

// remotes.json pins the manifest and the entry; the entry pins its own chunks and styles.
registerPlugins([
  {
    name: 'portal-integrity',
    fetch(url, init, remote) {
      const pin = pinsOf(remote?.name)
      return fetch(url, {
        ...init,
        credentials: 'omit',
        cache: 'no-cache',
        ...(pin && { integrity: pin.manifest }),
      })
    },
    createScript({ url, remoteInfo }) {
      const script = document.createElement('script')
      script.crossOrigin = 'anonymous'
      const pin = pinsOf(remoteInfo?.name)
      if (pin) script.integrity = pin.entry
      script.src = afresh(url)
      return script
    },
  },
])

/** Rejects when `work` takes longer than `limit` milliseconds; the work itself cannot be stopped. */
export function within<T>(what: string, work: Promise<T>, limit = TIME_LIMIT_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${what} did not arrive within ${limit / 1000} s`)), limit)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Gives the module back if the shell can run it; otherwise says why not. */
export function checked(
  name: string,
  remote: RemoteModule | null | undefined,
  contract = CONTRACT,
): RemoteModule {
  if (!remote) throw new Error(`${name} did not load`)
  if (remote.contract !== contract) {
    throw new IncompatibleRemote(
      `${name} was built for version ${remote.contract} of the agreement with the shell, which speaks ${contract}.`,
    )
  }
  return remote
}

/** The remote loaded but was built for another shell: trying again helps only after a new release. */
export class IncompatibleRemote extends Error {
  override readonly name = 'IncompatibleRemote'
}

const registered = new Map<string, string>()

async function register(name: RemoteName, again: boolean) {
  const config = await remotesConfig()
  const remote = config.remotes.find(one => one.name === name)
  if (!remote) throw new Error(`remotes.json names no ${name}`)
  const entry = new URL(remote.manifest, location.href).href
  const known = registered.get(name)
  if (known === entry && !again) return
  registered.set(name, entry)
  if (again) startAfresh(entry)
  registerRemotes([{ name, entry }], { force: known !== undefined }) // force drops module and manifest caches
}

/** Loads a remote within its time limit. `again` reads remotes.json anew and forgets what failed before. */
export async function loadModule(name: RemoteName, again: boolean): Promise<RemoteModule> {
  if (again) expireConfig()
  const loading = register(name, again).then(() => loadRemote<RemoteModule>(`${name}/routes`))
  return checked(name, await within(name, loading))
}
