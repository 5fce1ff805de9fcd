import type { StatusDisplay } from './status.ts'

/* Labels for API keys, webhooks and their deliveries. */

const DAY_MS = 86_400_000
/** How long before its expiry a key is shown as expiring soon; owners and managers then also get an email. */
const EXPIRES_SOON_MS = 14 * DAY_MS

interface KeyDates {
  revoked_at: string | null
  expires_at: string | null
}

/** Returns how to show the state of an API key at the time `now`. */
export function keyDisplay({ revoked_at, expires_at }: KeyDates, now: number): StatusDisplay {
  if (revoked_at !== null) return { label: 'Revoked', tone: 'neutral', icon: 'ban' }
  const msLeft = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - now
  if (msLeft <= 0) return { label: 'Expired', tone: 'neutral', icon: 'hourglass' }
  if (msLeft <= EXPIRES_SOON_MS) return { label: 'Expires soon', tone: 'warning', icon: 'hourglass' }
  return { label: 'Active', tone: 'success', icon: 'tick' }
}

/** True if the API accepts calls with the key. */
export const isUsableKey = ({ revoked_at, expires_at }: KeyDates, now: number): boolean =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > now)

/** Returns how to show the state of a webhook endpoint. */
export function endpointDisplay({
  state,
  failing_since,
}: {
  state: string
  failing_since: string | null
}): StatusDisplay {
  if (state !== 'enabled') return { label: 'Disabled', tone: 'neutral', icon: 'ban' }
  return failing_since === null
    ? { label: 'Enabled', tone: 'success', icon: 'tick' }
    : { label: 'Failing', tone: 'warning', icon: 'cross' }
}

const reasons: Readonly<Record<string, string>> = {
  by_member: 'By a member.',
  gone: 'It replied 410 Gone.',
  failing: 'No delivery succeeded for 5 days.',
}

/** Returns why an endpoint was disabled; undefined if it is enabled. */
export const disabledReason = (reason: string | null): string | undefined => reasons[reason ?? '']

const deliveries: Readonly<Record<string, StatusDisplay>> = {
  pending: { label: 'Pending', tone: 'info', icon: 'progress' },
  delivered: { label: 'Delivered', tone: 'success', icon: 'tick' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
  skipped: { label: 'Skipped', tone: 'neutral', icon: 'ban' },
}

/** Returns how to show the status of a delivery. */
export const deliveryDisplay = (status: string): StatusDisplay =>
  deliveries[status] ?? { label: 'Unknown', tone: 'neutral', icon: 'question' }

/** Returns how to show an event: whether all of its endpoints have accepted it. */
export function eventDisplay({
  delivered,
  endpoints,
}: {
  delivered: boolean
  endpoints: number
}): StatusDisplay {
  if (delivered) return deliveryDisplay('delivered')
  return endpoints === 0
    ? { label: 'No endpoint', tone: 'neutral', icon: 'ban' }
    : { label: 'Not delivered', tone: 'warning', icon: 'hourglass' }
}

/** Returns the label of a mode. */
export const modeLabel = (mode: string): string => (mode === 'live' ? 'Live' : 'Test')

/** Returns what a key may do, in words. */
export const accessLabel = (access: string): string => (access === 'write' ? 'Read and write' : 'Read only')

/** Returns when an event of this type is sent. */
export const eventMeaning = (type: string): string => meanings[type] ?? ''

const meanings: Readonly<Record<string, string>> = {
  'verification.completed': 'A verification has a result.',
  'verification.awaiting_consent': 'A verification waits for the graduate’s consent.',
  'verification.refused': 'The graduate refused consent.',
  'verification.expired': 'Reserved: not sent yet.',
  'research.updated': 'Reserved: not sent yet.',
  'research.closed': 'Reserved: not sent yet.',
  'batch.completed': 'A batch has no pending numbers left.',
  'letter.status_changed': 'A letter was withdrawn or superseded, or is valid again.',
  'balance.credited': 'A top-up or bank transfer was credited.',
  'balance.low': 'The available balance fell below your alert threshold.',
  ping: 'Sent when you ask for it.',
}
