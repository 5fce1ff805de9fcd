import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime'
import type { RemoteModule, RemoteName } from '@portal/contract/remote'
import { checked, within } from './checks.ts'
import { expireConfig, pinsOf, remotesConfig } from './config.ts'
import { afresh, startAfresh } from './retries.ts'

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
