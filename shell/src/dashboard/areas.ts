import type { RemoteArea, RemoteName, RemotesConfig } from '@portal/contract/remote'
import { mayOpen } from '@portal/session/roles'
import { useEffect, useState } from 'react'
import { knownRemotes, loadRemotesConfig } from '../federation/config.ts'

/** A dashboard area provided by a separate micro-frontend. */
export interface Area extends RemoteArea {
  readonly name: RemoteName
}

const isRemoteName = (name: string): name is RemoteName => name.startsWith('mfe-')

/** Returns the areas that remotes.json lists for a role. */
export function areasOf(config: RemotesConfig | undefined, role: string | undefined): Area[] {
  return (config?.remotes ?? []).flatMap(({ name, area }) =>
    area && isRemoteName(name) && mayOpen(area.roles, role) ? [{ ...area, name }] : [],
  )
}

/** Returns the area to which an address below `/dashboard/` belongs. */
export const areaAt = (areas: readonly Area[], path: string): Area | undefined =>
  areas.find(area => path === area.path || path.startsWith(`${area.path}/`))

/**
 * Returns the areas of a role, once remotes.json is loaded. Without that file there are no pages, and an error is shown instead
 * of them.
 */
export function useAreas(role: string | undefined): Area[] {
  const [config, setConfig] = useState(knownRemotes)
  useEffect(() => {
    loadRemotesConfig().then(setConfig, () => undefined)
  }, [])
  return areasOf(config, role)
}
