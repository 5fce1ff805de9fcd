import type { RemotePointer } from '@portal/contract/remote'
import type { Assets, Ports } from '../ports.ts'
import { readOverride } from './override-cookie.ts'
import { POINTER_ADDRESS, parseAcceptedConfig } from './trust.ts'

/**
 * Serves the pointer (`remotes.json`). For a browser that has an override, the entry of its micro-frontend refers to the
 * developer's server, and has no hashes, because the files change with each save. All other browsers get the unchanged pointer.
 */
export function withOverrides(assets: Assets, ports: Pick<Ports, 'clock' | 'environment'>): Assets {
  if (ports.environment.FRONT_END_OVERRIDES.length === 0) return assets
  const override = (request: Request) => readOverride(request.headers.get('Cookie'), ports)
  return {
    ...assets,
    override,
    async get(path, request) {
      const found = path === POINTER_ADDRESS ? await override(request) : undefined
      if (!found) return await assets.get(path, request)
      const headers = { Cookie: request.headers.get('Cookie') ?? '' }
      const response = await assets.get(path, new Request(new URL(path, request.url), { headers }))
      const livePointer = response?.status === 200 ? parseAcceptedConfig(await response.text()) : undefined
      if (!livePointer) return response
      const remotes = livePointer.remotes.map(
        ({ name, area, ...rest }): RemotePointer =>
          name === found.name
            ? { name, manifest: `${found.origin}/mf-manifest.json`, ...(area && { area }) }
            : { name, ...(area && { area }), ...rest },
      )
      return Response.json(
        { ...livePointer, remotes },
        { headers: { 'Cache-Control': 'private, no-store', Vary: 'Cookie' } },
      )
    },
  }
}
