import type { Assets } from '../ports.ts'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function originOf(manifest: unknown): string[] {
  if (typeof manifest !== 'string' || !URL.canParse(manifest)) return []
  const { protocol, origin } = new URL(manifest)
  return protocol === 'https:' || protocol === 'http:' ? [origin] : []
}

/**
 * The origins other than the portal's own in `remotes.json`, for live releases and canaries. Read for each page: it is a small
 * file, and a page opened after the pointer has moved must be allowed to load the new release.
 */
export async function remoteOrigins(assets: Assets, request: Request): Promise<string[]> {
  const address = '/config/remotes.json'
  const answer = await assets.get(address, new Request(new URL(address, request.url)))
  if (answer?.status !== 200) return []
  const config: unknown = await answer.json().catch(() => undefined)
  const found = listOf(fieldsOf(config).remotes).flatMap(remote => {
    const { manifest, canary } = fieldsOf(remote)
    return [...originOf(manifest), ...originOf(fieldsOf(canary).manifest)]
  })
  return [...new Set(found)]
}
