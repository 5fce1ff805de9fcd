import './zod-setup.ts'
import * as z from 'zod'
import { isSignedWith, type SignedEntry } from './signed-entry.ts'

/* `teams.json`: which team releases which micro-frontends, and with which keys (docs/decisions, "Signed releases"). */

const name = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/)
const day = z.iso.date()

const key = z.strictObject({
  /** ID of the key in signatures; unique among all teams, and never reused. */
  id: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
  /** The public key: base64url of 32 bytes, as `x` of a JWK. */
  x: z.string().regex(/^[\w-]{43}$/),
  /** The UTC days on which the key becomes valid and stops being valid. */
  from: day,
  until: day.optional(),
})

const team = z.strictObject({
  name,
  apps: z.array(z.string().regex(/^(?:shell|mfe-[a-z0-9-]{1,40})$/)).min(1),
  owners: z.array(z.string().min(1)).min(1),
  keys: z.array(key),
})

const isUnique = (values: readonly string[]) => new Set(values).size === values.length

const teamsFile = z.strictObject({
  teams: z
    .array(team)
    .refine(teams => isUnique(teams.map(item => item.name)), 'names a team twice')
    .refine(teams => isUnique(teams.flatMap(({ apps }) => apps)), 'gives an app to two teams')
    .refine(teams => isUnique(teams.flatMap(({ keys }) => keys.map(({ id }) => id))), 'uses a key ID twice')
    .refine(teams => isUnique(teams.flatMap(({ keys }) => keys.map(({ x }) => x))), 'names a key twice'),
})

export type Team = z.infer<typeof team>
export type TeamKey = z.infer<typeof key>

/** ID of the key that `npm start` generates on a developer's machine. */
export const DEVELOPMENT_KEY = 'development'

/** The teams and keys whose signatures are accepted. */
export interface Trust {
  readonly teams: readonly Team[]
  /** Public key of a developer's machine, which may sign every entry; never set in production. */
  readonly developmentKey?: string | undefined
}

/**
 * Parses `teams.json`.
 * @throws an error that names the first invalid field
 */
export function readTeams(content: unknown): readonly Team[] {
  const { error, data } = teamsFile.safeParse(content)
  if (data) return data.teams
  const [issue] = error.issues
  throw new Error(`teams.json: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`)
}

/**
 * Returns whether signatures are required. All micro-frontends run in one page, so code in an unsigned one could act for the
 * others. Therefore, as soon as one team has a key, every team must sign.
 */
export const requiresSignatures = ({ teams }: Trust): boolean => teams.some(({ keys }) => keys.length > 0)

/** Returns the team of a micro-frontend. */
export const findTeam = ({ teams }: Trust, app: string): Team | undefined =>
  teams.find(({ apps }) => apps.includes(app))

/** Returns whether a key may sign at a given time, a Unix timestamp in milliseconds. */
export const isValidAt = ({ from, until }: TeamKey, at: number): boolean =>
  Date.parse(from) <= at && (until === undefined || at < Date.parse(until))

/** Tolerated difference between clocks, in milliseconds. */
const CLOCK_SKEW_MS = 600_000

/** Returns the key with which an entry was signed, or the reason why that key is not accepted. */
function findSigningKey(
  trust: Trust,
  { name: app, signed }: SignedEntry,
  now: number,
): { x: string } | string {
  if (!signed) return 'it is not signed'
  if (signed.at > now + CLOCK_SKEW_MS) return `it was signed in the future, at ${signed.at}`
  if (signed.by === DEVELOPMENT_KEY)
    return trust.developmentKey
      ? { x: trust.developmentKey }
      : 'it was signed with a development key, which does not count here'
  const owner = findTeam(trust, app)
  if (!owner) return `no team in teams.json owns ${app}`
  const teamKey = owner.keys.find(({ id }) => id === signed.by)
  if (!teamKey) return `${signed.by} is not a key of team ${owner.name}`
  return isValidAt(teamKey, signed.at) ? teamKey : `the key ${signed.by} was not valid when it was signed`
}

/**
 * Returns why an entry in `remotes.json` is not accepted; undefined if its team signed it or no signatures are required.
 * @param now Unix timestamp in milliseconds
 */
export async function signatureProblem(
  trust: Trust,
  entry: SignedEntry,
  now: number,
): Promise<string | undefined> {
  if (!requiresSignatures(trust)) return undefined
  const keyOrReason = findSigningKey(trust, entry, now)
  if (typeof keyOrReason === 'string') return `${entry.name}: ${keyOrReason}`
  const isGenuine = await isSignedWith(entry, keyOrReason.x).catch(() => false)
  return isGenuine ? undefined : `${entry.name}: its signature does not match`
}
