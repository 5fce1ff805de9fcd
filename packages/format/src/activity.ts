import type { StatusDisplay, Tone } from './status.ts'

export const activityTypes = ['verification', 'upload', 'payment', 'user', 'admin', 'other'] as const
export type ActivityType = (typeof activityTypes)[number]

export const activityStatuses = ['success', 'failed', 'warning', 'info'] as const
export type ActivityStatus = (typeof activityStatuses)[number]

export type ActivitySeverity = 'critical' | 'warning' | 'info' | 'normal'

export interface ActivityClass {
  readonly type: ActivityType
  readonly status: ActivityStatus
  readonly severity: ActivitySeverity
}

/** Whom an entry of the log names: without an account the portal itself did it, without an address the account is gone. */
export const actorOf = (entry: { user_id: string | null; user_email: string | null }): string =>
  entry.user_email ?? (entry.user_id === null ? 'System' : 'Erased account')

/*
 * The classification of the specification's section 4, by keywords in the activity's text. The first row that
 * matches decides: an upload is one even though certificates are named, an e-mail is confirmed by a user although
 * the word begins with `verif`.
 */
const types: readonly [ActivityType, RegExp][] = [
  ['upload', /upload|import/],
  [
    'admin',
    /admin|front end|setting|\bfee\b|polic|\brole\b|template|reconcil|certificate (?:creat|add|updat|delet|withdr)/,
  ],
  ['user', /user|log ?(?:in|out)\b|password|profile|e-?mail|account|regist|session/],
  ['payment', /payment|refund|revers|transaction/],
  ['verification', /verif|certificate/],
]

const statuses: readonly [ActivityStatus, RegExp][] = [
  ['failed', /fail|error|denied|blocked|reject|declin|does not match/],
  ['warning', /warn|delet|disabl|withdr|reset|revers|rolled back|expir|cancel|attempt|pending/],
  [
    'success',
    /success|complet|creat|added|updat|chang|paid|verified|registered|enabled|log ?(?:in|out)\b|issued|approved|uploaded|reconciled|released|promoted/,
  ],
]

const severities: readonly [ActivitySeverity, RegExp][] = [
  ['critical', /delete|disable|failed|error|blocked/],
  ['warning', /password|reset|verify|admin/],
  ['info', /login|view|download|export/],
]

const first = <Kind>(table: readonly [Kind, RegExp][], text: string): Kind | undefined =>
  table.find(([, keywords]) => keywords.test(text))?.[0]

/** What an activity is about, how it ended and how grave it is, by keywords in its text. */
export function classifyActivity(activity: string): ActivityClass {
  const text = activity.toLowerCase()
  return {
    type: first(types, text) ?? 'other',
    status: first(statuses, text) ?? 'info',
    severity: first(severities, text) ?? 'normal',
  }
}

const typeDisplays: Readonly<Record<ActivityType, { label: string; tone: Tone }>> = {
  verification: { label: 'Verification', tone: 'success' },
  upload: { label: 'Upload', tone: 'info' },
  payment: { label: 'Payment', tone: 'warning' },
  user: { label: 'User', tone: 'info' },
  admin: { label: 'Admin', tone: 'danger' },
  other: { label: 'Other', tone: 'neutral' },
}

/** An activity's type in a word and a colour; its picture is the screen's. */
export const activityTypeDisplay = (type: ActivityType) => typeDisplays[type]

const statusDisplays: Readonly<Record<ActivityStatus, StatusDisplay>> = {
  success: { label: 'Success', tone: 'success', icon: 'tick' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
  warning: { label: 'Warning', tone: 'warning', icon: 'warning' },
  info: { label: 'Info', tone: 'info', icon: 'info' },
}

export const activityStatusDisplay = (status: ActivityStatus): StatusDisplay => statusDisplays[status]

const severityDisplays: Readonly<Record<ActivitySeverity, StatusDisplay>> = {
  critical: { label: 'Critical', tone: 'danger', icon: 'ban' },
  warning: { label: 'Warning', tone: 'warning', icon: 'warning' },
  info: { label: 'Info', tone: 'info', icon: 'info' },
  normal: { label: 'Normal', tone: 'neutral', icon: 'tick' },
}

export const activitySeverityDisplay = (severity: ActivitySeverity): StatusDisplay =>
  severityDisplays[severity]
