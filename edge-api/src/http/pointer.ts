import type { Assets } from '../ports.ts'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/**
 * Reads `remotes.json`, a small file, for each page, because the page's security policy must allow the origins that the
 * file currently names. Depending on the request's cookie, the result contains a preview.
 */
export async function readPointer(assets: Assets, request: Request): Promise<unknown> {
  const address = '/config/remotes.json'
  const headers = { Cookie: request.headers.get('Cookie') ?? '' }
  const response = await assets.get(address, new Request(new URL(address, request.url), { headers }))
  return response?.status === 200 ? await response.json().catch(() => undefined) : undefined
}

/** Returns the entries of `remotes.json`. */
export const remotesOf = (pointer: unknown): readonly Record<string, unknown>[] =>
  listOf(fieldsOf(pointer).remotes).map(fieldsOf)

function originOf(manifest: unknown): string[] {
  if (typeof manifest !== 'string' || !URL.canParse(manifest)) return []
  const { protocol, origin } = new URL(manifest)
  return protocol === 'https:' || protocol === 'http:' ? [origin] : []
}

/** Returns the origins that `remotes.json` names for live releases and canaries, without duplicates. */
export function remoteOrigins(pointer: unknown): string[] {
  const found = remotesOf(pointer).flatMap(({ manifest, canary }) => [
    ...originOf(manifest),
    ...originOf(fieldsOf(canary).manifest),
  ])
  return [...new Set(found)]
}
