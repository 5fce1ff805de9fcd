import './zod-setup.ts'
import * as z from 'zod'
import type { RemotesConfig } from './remote.ts'
import { isMenuText } from './remote-module.ts'
import { roles } from './shapes.ts'

/*
 * `remotes.json` as the server and the shipping commands hold it to, with every hash. The shell has a lighter reader of
 * its own (`shell/src/federation/config.ts`), which leaves out single entries.
 */

/** SHA-384 as browsers take it; one in another form they would ignore. */
const hash = z.string().regex(/^sha384-[A-Za-z0-9+/]{64}$/)
/** Of the portal, or of another origin by HTTP. */
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
  first: z.array(z.object({ path: address, integrity: hash })).optional(),
})

const pointer = release.extend({
  name: z.string().regex(/^mfe-[a-z0-9-]{1,40}$/),
  area: z
    .object({
      path: z.string().regex(/^[\w-]+(?:\/[\w-]+)*$/),
      title: z.string().refine(isMenuText, 'must be a line without controls'),
      roles: z.array(z.enum(roles)).min(1),
    })
    .optional(),
  canary: release.extend({ percent: z.number().min(0).max(100), accounts: z.array(z.string()) }).optional(),
})

const MOST_REMOTES = 100

const config = z.object({
  revision: z.string().min(1),
  api: z.string().min(1),
  remotes: z
    .array(pointer)
    .max(MOST_REMOTES)
    .refine(
      remotes => new Set(remotes.map(({ name }) => name)).size === remotes.length,
      'names a micro-frontend twice',
    ),
})

/** What the shell looks for by name: without one of them, some see no page at all. */
export const NEEDED = ['mfe-public', 'mfe-user', 'mfe-admin'] as const

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * What is wrong with a `remotes.json`, in a sentence without its content; undefined where nothing is.
 * @param needed micro-frontends that it must name
 */
export function damageOf(text: string | undefined, needed: readonly string[] = NEEDED): string | undefined {
  if (text === undefined) return 'the file is missing'
  const content = parsedJson(text)
  if (content === undefined) return text.trim() === '' ? 'the file is empty' : 'it is not JSON'
  const { error, data } = config.safeParse(content)
  const [issue] = error?.issues ?? []
  if (issue) return `${issue.path.join('.') || 'the file'}: ${issue.message}`
  const missing = needed.find(name => data?.remotes.every(remote => remote.name !== name))
  return missing && `it does not name ${missing}`
}

/**
 * What can be used of a damaged `remotes.json`: entries in the right shape, and canaries in it.
 * @returns undefined where there is none
 */
export function usablePart(text: string | undefined): RemotesConfig | undefined {
  const content = z.object({ remotes: z.array(z.unknown()) }).safeParse(parsedJson(text ?? '')).data
  const lenient = pointer.extend({ canary: pointer.shape.canary.catch(undefined) })
  const remotes = (content?.remotes ?? []).flatMap(entry => lenient.safeParse(entry).data ?? [])
  return remotes.length > 0
    ? ({ revision: 'damaged', api: '/api', remotes } as unknown as RemotesConfig)
    : undefined
}
