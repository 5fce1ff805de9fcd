import './zod-setup.ts'
import * as z from 'zod'
import type { PreviewPointer, RemotesConfig } from './remote.ts'
import { isMenuText } from './remote-module.ts'
import { roles } from './shapes.ts'

/*
 * Strict schema of `remotes.json` for the server and the deployment commands, which requires every hash. The shell has a
 * smaller parser (`shell/src/federation/config.ts`), which skips invalid entries.
 */

/** A SHA-384 hash in the form that browsers accept; they ignore hashes in other forms. */
const hash = z.string().regex(/^sha384-[A-Za-z0-9+/]{64}$/)
/** A path on the portal's origin, or an HTTP or HTTPS URL on another origin. */
const address = z
  .string()
  .regex(/^(?:https?:\/\/[^/\s]+)?\/(?!\/)(?!\S*\.\.)\S*$/)
  .refine(value => URL.canParse(value, 'https://portal.invalid'))
const id = z.string().regex(/^\w[\w.-]{0,63}$/)

const release = z.object({
  release: id,
  manifest: address,
  integrity: z.object({ manifest: hash, entry: hash }),
  needs: z
    .object({ contract: z.number(), start: z.number(), shared: z.record(z.string(), z.string()) })
    .optional(),
  pages: z.object({ path: address, integrity: hash }).optional(),
  first: z.array(z.object({ path: address, integrity: hash })).optional(),
})

const entry = release.extend({
  name: z.string().regex(/^mfe-[a-z0-9-]{1,40}$/),
  area: z
    .object({
      path: z.string().regex(/^[\w-]+(?:\/[\w-]+)*$/),
      title: z.string().refine(isMenuText, 'must be a line without controls'),
      roles: z.array(z.enum(roles)).min(1),
    })
    .optional(),
  canary: release.extend({ percent: z.number().min(0).max(100), accounts: z.array(z.string()) }).optional(),
  signed: z.object({ by: z.string(), at: z.int().positive() }).optional(),
  signature: z
    .string()
    .regex(/^[A-Za-z0-9+/]{86}==$/)
    .optional(),
})

// A preview is signed only for people who have its link, so it must not become the live release.
const pointer = entry.extend({ preview: z.undefined({ error: 'is a preview' }).optional() })

export const PREVIEW_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/
const PREVIEW_TOKEN = /^[\w-]{22,64}$/

const preview = entry.extend({
  canary: z.undefined().optional(),
  preview: z.object({
    name: z.string().regex(PREVIEW_NAME),
    token: z.string().regex(PREVIEW_TOKEN),
    until: z.int().positive(),
  }),
})

const MAX_REMOTES = 100

const config = z.object({
  revision: z.string().min(1),
  api: z.string().min(1),
  remotes: z
    .array(pointer)
    .max(MAX_REMOTES)
    .refine(
      remotes => new Set(remotes.map(({ name }) => name)).size === remotes.length,
      'names a micro-frontend twice',
    ),
})

/** Micro-frontends that the portal needs; without one of them, some users would have no page at all. */
export const REQUIRED_REMOTES = ['mfe-public', 'mfe-user', 'mfe-admin'] as const

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns an error message about an invalid `remotes.json`, which does not quote its content; undefined if it is valid.
 * @param requiredNames micro-frontends that it must name
 */
export function findConfigProblem(
  text: string | undefined,
  requiredNames: readonly string[] = REQUIRED_REMOTES,
): string | undefined {
  if (text === undefined) return 'the file is missing'
  const content = parseJsonOrUndefined(text)
  if (content === undefined) return text.trim() === '' ? 'the file is empty' : 'it is not JSON'
  const { error, data } = config.safeParse(content)
  const [issue] = error?.issues ?? []
  if (issue) return `${issue.path.join('.') || 'the file'}: ${issue.message}`
  const missing = requiredNames.find(name => data?.remotes.every(remote => remote.name !== name))
  return missing && `it does not name ${missing}`
}

/**
 * Returns the valid entries of a `previews.json` exactly as they are in the file, because that is the form their team signed.
 */
export function parsePreviews(text: string | undefined): PreviewPointer[] {
  const content = z
    .object({ previews: z.array(z.unknown()) })
    .safeParse(parseJsonOrUndefined(text ?? '')).data
  return (content?.previews ?? []).filter((item): item is PreviewPointer => preview.safeParse(item).success)
}

/**
 * Returns the valid entries of a damaged `remotes.json`, with their valid canaries.
 * @returns undefined if there are none
 */
export function parseUsablePart(text: string | undefined): RemotesConfig | undefined {
  const content = z.object({ remotes: z.array(z.unknown()) }).safeParse(parseJsonOrUndefined(text ?? '')).data
  const lenientPointer = pointer.extend({ canary: pointer.shape.canary.catch(undefined) })
  // An unchanged entry keeps its signature. An entry whose invalid canary was removed loses it, because the signature covered
  // the canary.
  const remotes = (content?.remotes ?? []).flatMap(entry => {
    if (pointer.safeParse(entry).success) return [entry]
    const { signed: _, signature: __, ...rest } = lenientPointer.safeParse(entry).data ?? {}
    return 'name' in rest ? [rest] : []
  })
  return remotes.length > 0
    ? ({ revision: 'damaged', api: '/api', remotes } as unknown as RemotesConfig)
    : undefined
}
