import { isRecord } from '@portal/contract/is-record'
import type { Activity } from '../logs/store.ts'

/** One line of the release log (`scripts/shipping/log.mjs`): someone moved a pointer. */
export interface Shipment {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The person who gave the command, by the name that they entered. */
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

/** The activity log's names of actions. Other actions, such as those of `npm start`, are not recorded there. */
const activities: Readonly<Record<string, string>> = {
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

function detailsOf({ app, release, before, percent, accounts, preview, by }: Shipment): string {
  const part =
    percent === undefined ? '' : `, for ${percent}%${accounts ? ` and ${accounts} named accounts` : ''}`
  const previous =
    before && before !== release ? `, ${percent === undefined ? 'before it' : 'next to'} ${before}` : ''
  const branch = preview === undefined ? '' : `, preview ${preview}`
  return `${app} ${release}${branch}${part}${previous}; by ${by}, as the command named them`
}

const EMAIL = /[^\s<>]+@[^\s<>]+/

/** The entry of the activity log, or undefined if there is none. */
export function activityOf(shipment: Shipment): Activity | undefined {
  const activity = activities[shipment.action]
  if (activity === undefined) return undefined
  return {
    userId: null,
    userEmail: EMAIL.exec(shipment.by)?.[0] ?? null,
    activity,
    details: detailsOf(shipment),
    requestId: shipment.id,
    at: shipment.at,
  }
}

/** The log is our own (`scripts/shipping/log.mjs`): a line with these fields is one of its lines. */
const isShipment = (value: Record<string, unknown>): value is Record<string, unknown> & Shipment =>
  ['id', 'by', 'action', 'app', 'release'].every(name => typeof value[name] === 'string') &&
  Number.isSafeInteger(value.at)

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : {}
  } catch {
    // A truncated line, or one that is being written.
    return {}
  }
}

/** A release log: its name, from the first line, and its releases, oldest first. Other lines are skipped. */
export function readShipments(text: string): { log: string; shipments: Shipment[] } | undefined {
  const lines = text.split('\n').map(parsed)
  const log = lines.find(line => typeof line.log === 'string')?.log
  if (typeof log !== 'string') return undefined
  return { log, shipments: lines.filter(isShipment) }
}
