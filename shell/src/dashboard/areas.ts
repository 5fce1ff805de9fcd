import type { RemoteArea, RemoteName, RemotesConfig } from '@portal/contract/remote'
import { mayOpen } from '@portal/session/roles'
import { useEffect, useState } from 'react'
import { knownRemotes, remotesConfig } from '../federation/config.ts'

/** A dashboard area provided by a separate micro-frontend. */
export interface Area extends RemoteArea {
  readonly name: RemoteName
}

const isRemoteName = (name: string): name is RemoteName => name.startsWith('mfe-')

/** The areas that remotes.json names for a role. */
export function areasOf(config: RemotesConfig | undefined, role: string | undefined): Area[] {
  return (config?.remotes ?? []).flatMap(({ name, area }) =>
    area && isRemoteName(name) && mayOpen(area.roles, role) ? [{ ...area, name }] : [],
  )
}

/** The area that an address below `/dashboard/` is in. */
export const areaAt = (areas: readonly Area[], path: string): Area | undefined =>
  areas.find(area => path === area.path || path.startsWith(`${area.path}/`))

/** The areas of a role, once remotes.json is loaded. Without it there are no pages, and an error replaces them. */
export function useAreas(role: string | undefined): Area[] {
  const [config, setConfig] = useState(knownRemotes)
  useEffect(() => {
    remotesConfig().then(setConfig, () => undefined)
  }, [])
  return areasOf(config, role)
}
