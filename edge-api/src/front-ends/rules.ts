import { isRecord } from '@portal/contract/is-record'
import type { Activity } from '../logs/store.ts'

/** One line of the log of releases (`scripts/shipping/log.mjs`): somebody moved a pointer. */
export interface Shipment {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The person who gave the command, as they named themselves. */
  readonly by: string
  readonly action: string
  readonly app: string
  readonly release: string
  readonly before: string | null
  readonly percent?: number
  readonly accounts?: number
}

/** What the activity log says of an action; others, as `npm start` at its work, it does not hold. */
const activities: Readonly<Record<string, string>> = {
  released: 'Front end released',
  canary: 'Front end released to some',
  promoted: 'Front end promoted to everyone',
  'rolled back': 'Front end rolled back',
  'canary withdrawn': 'Front end canary withdrawn',
  followed: 'Front end left to its sources',
  deleted: 'Front end release deleted',
}

function detailsOf({ app, release, before, percent, accounts, by }: Shipment): string {
  const part =
    percent === undefined ? '' : `, for ${percent}%${accounts ? ` and ${accounts} named accounts` : ''}`
  const former =
    before && before !== release ? `, ${percent === undefined ? 'before it' : 'beside'} ${before}` : ''
  return `${app} ${release}${part}${former}; by ${by}, as the command named them`
}

const E_MAIL = /[^\s<>]+@[^\s<>]+/

/** The entry of the activity log, or undefined where there is none to be. */
export function activityOf(shipment: Shipment): Activity | undefined {
  const activity = activities[shipment.action]
  if (activity === undefined) return undefined
  return {
    userId: null,
    userEmail: E_MAIL.exec(shipment.by)?.[0] ?? null,
    activity,
    details: detailsOf(shipment),
    requestId: shipment.id,
    at: shipment.at,
  }
}

/** The log is our own (`scripts/shipping/log.mjs`): a line with these is one of its lines. */
const isShipment = (value: Record<string, unknown>): value is Record<string, unknown> & Shipment =>
  ['id', 'by', 'action', 'app', 'release'].every(name => typeof value[name] === 'string') &&
  Number.isSafeInteger(value.at)

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : {}
  } catch {
    // A line that was cut off, or is being written.
    return {}
  }
}

/** A log of releases: its name, from the first line, and what was shipped, oldest first. Other lines are skipped. */
export function readShipments(text: string): { log: string; shipments: Shipment[] } | undefined {
  const lines = text.split('\n').map(parsed)
  const log = lines.find(line => typeof line.log === 'string')?.log
  if (typeof log !== 'string') return undefined
  return { log, shipments: lines.filter(isShipment) }
}
