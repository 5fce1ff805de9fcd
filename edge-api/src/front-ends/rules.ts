import { isRecord } from '@portal/contract/is-record'
import type { Activity } from '../logs/store.ts'

/** One line of the release log (`scripts/shipping/log.mjs`), written when someone changes the pointer. */
export interface ReleaseLogEntry {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Name of the person who ran the command, as they entered it. */
  readonly by: string
  readonly action: string
  readonly app: string
  readonly release: string
  readonly before: string | null
  readonly percent?: number
  readonly accounts?: number
  /** Name of a preview. */
  readonly preview?: string
}

/** Names of the actions in the activity log. All other actions, such as those of `npm start`, are not recorded there. */
const activityNames: Readonly<Record<string, string>> = {
  released: 'Front end released',
  canary: 'Front end canary released',
  promoted: 'Front end promoted to everyone',
  'rolled back': 'Front end rolled back',
  'canary withdrawn': 'Front end canary withdrawn',
  followed: 'Front end follows its sources',
  preview: 'Front end preview published',
  'preview ended': 'Front end preview ended',
  deleted: 'Front end release deleted',
}

function detailsOf({ app, release, before, percent, accounts, preview, by }: ReleaseLogEntry): string {
  const audience =
    percent === undefined ? '' : `, for ${percent}%${accounts ? ` and ${accounts} named accounts` : ''}`
  const previous =
    before && before !== release ? `, ${percent === undefined ? 'before it' : 'next to'} ${before}` : ''
  const previewText = preview === undefined ? '' : `, preview ${preview}`
  return `${app} ${release}${previewText}${audience}${previous}; by ${by}, as the command named them`
}

const EMAIL = /[^\s<>]+@[^\s<>]+/

/** Returns the entry for the activity log, or undefined if this action is not recorded there. */
export function activityOf(entry: ReleaseLogEntry): Activity | undefined {
  const activity = activityNames[entry.action]
  if (activity === undefined) return undefined
  return {
    userId: null,
    userEmail: EMAIL.exec(entry.by)?.[0] ?? null,
    activity,
    details: detailsOf(entry),
    requestId: entry.id,
    at: entry.at,
  }
}

/**
 * True if a line of the log describes a release. The log is written only by `scripts/shipping/log.mjs`, so checking these
 * fields is enough.
 */
const isReleaseLogEntry = (
  value: Record<string, unknown>,
): value is Record<string, unknown> & ReleaseLogEntry =>
  ['id', 'by', 'action', 'app', 'release'].every(name => typeof value[name] === 'string') &&
  Number.isSafeInteger(value.at)

function parseLine(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : {}
  } catch {
    // The line is truncated, or still being written.
    return {}
  }
}

/**
 * Parses a release log.
 * @returns the log's name, from its first line, and its releases, oldest first; lines of other kinds are skipped
 */
export function parseReleaseLog(text: string): { log: string; entries: ReleaseLogEntry[] } | undefined {
  const lines = text.split('\n').map(parseLine)
  const log = lines.find(line => typeof line.log === 'string')?.log
  if (typeof log !== 'string') return undefined
  return { log, entries: lines.filter(isReleaseLogEntry) }
}
