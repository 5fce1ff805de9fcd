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

/** Returns who acted in a log entry: `System` if there was no account, and a placeholder if the account has been erased. */
export const actorOf = (entry: { user_id: string | null; user_email: string | null }): string =>
  entry.user_email ?? (entry.user_id === null ? 'System' : 'Erased account')

/** Matches the places in field names such as `student_name` and `firstname` where a space is missing. */
const MISSING_SPACE = /_(?=[a-z]+([,;]|$))|(?<=st|le)(?=name)/g

/**
 * Formats the details of a log entry for people: with the names of fields as on screens, and without the version and the digest
 * of the changes at the end. Exports contain both, and `npm run audit:verify` checks them.
 */
export const formatDetails = (details: string): string =>
  details.replace(/(; version \d+)?; \w{32}$/, '').replace(MISSING_SPACE, ' ')

/*
 * Keywords by type (specification, section 4). The first matching row decides: an upload is an upload even if it mentions
 * certificates, and email verification belongs to users even though it contains `verif`.
 */
const types: readonly [ActivityType, RegExp][] = [
  ['upload', /upload|import/],
  [
    'admin',
    /admin|front end|setting|\bfee\b|polic|\brole\b|template|reconcil|certificates? (?:creat|add|updat|chang|delet|withdr|restor|export|purged)/,
  ],
  ['user', /user|log ?(?:in|out)\b|password|profile|e-?mail|account|regist|session/],
  ['payment', /payment|refund|revers|transaction/],
  ['verification', /verif|certificate/],
]

const statuses: readonly [ActivityStatus, RegExp][] = [
  ['failed', /fail|error|denied|blocked|reject|(?<!invitation )declin|does not match/],
  [
    'warning',
    /warn|invitation declin|delet|disabl|withdr|reset|revers|rolled back|expir|cancel|attempt|pending/,
  ],
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

const findFirstMatch = <Kind>(table: readonly [Kind, RegExp][], text: string): Kind | undefined =>
  table.find(([, keywords]) => keywords.test(text))?.[0]

/** Determines the type, status and severity of an activity by keywords. */
export function classifyActivity(activity: string): ActivityClass {
  const text = activity.toLowerCase()
  return {
    type: findFirstMatch(types, text) ?? 'other',
    status: findFirstMatch(statuses, text) ?? 'info',
    severity: findFirstMatch(severities, text) ?? 'normal',
  }
}

const typeDisplays: Readonly<Record<ActivityType, { label: string; tone: Tone }>> = {
  verification: { label: 'Verification', tone: 'success' },
  upload: { label: 'Upload', tone: 'info' },
  payment: { label: 'Payment', tone: 'warning' },
  user: { label: 'User', tone: 'info' },
  admin: { label: 'Admin', tone: 'neutral' },
  other: { label: 'Other', tone: 'neutral' },
}

/** Returns the label and tone of an activity type; the screen chooses the icon. */
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
