import type { Assets } from '../ports.ts'

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/**
 * Reads `remotes.json`, which is a small file, for each page, because the page's security policy must allow the origins that it
 * currently names. If the browser's cookie selects a preview, the result contains that release.
 */
export async function readPointer(assets: Assets, request: Request): Promise<unknown> {
  const address = '/config/remotes.json'
  const headers = { Cookie: request.headers.get('Cookie') ?? '' }
  const response = await assets.get(address, new Request(new URL(address, request.url), { headers }))
  return response?.status === 200 ? await response.json().catch(() => undefined) : undefined
}

/** Returns the entries of `remotes.json`. */
export const readRemotes = (pointer: unknown): readonly Record<string, unknown>[] =>
  toArray(fieldsOf(pointer).remotes).map(fieldsOf)

function originOf(manifest: unknown): string[] {
  if (typeof manifest !== 'string' || !URL.canParse(manifest)) return []
  const { protocol, origin } = new URL(manifest)
  return protocol === 'https:' || protocol === 'http:' ? [origin] : []
}

/** Returns the origins of the live and canary releases in `remotes.json`, without duplicates. */
export function remoteOrigins(pointer: unknown): string[] {
  const found = readRemotes(pointer).flatMap(({ manifest, canary }) => [
    ...originOf(manifest),
    ...originOf(fieldsOf(canary).manifest),
  ])
  return [...new Set(found)]
}
