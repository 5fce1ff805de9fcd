import type { Role } from '@portal/contract/shapes'
import {
  type ActivityStatus,
  type ActivityType,
  activityStatuses,
  activityTypes,
} from '@portal/format/activity'
import { byKey } from '@portal/format/by-key'

const DAY = 86_400_000

/**
 * The log entries that a viewer can see: all entries or, for admins, only their own and those of ordinary users and the system.
 */
export type LogView = { all: true } | { all: false; viewerId: string }

// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds control characters in order to escape them
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/**
 * Replaces line breaks, terminal sequences and direction overrides with visible escapes (`\n`, `\u001b`), so that any input
 * remains a single, readable entry.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROL_CHARACTERS, character => {
    if (character === '\n') return '\\n'
    if (character === '\r') return '\\r'
    if (character === '\t') return '\\t'
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/**
 * Returns which log entries a viewer can see, regardless of filters. Super admins see all of them, unless they request the
 * admin view; admins see only their own and those of ordinary users and the system.
 */
export function toLogView(viewer: { id: string; role: Role }, adminView: boolean): LogView {
  return viewer.role === 'super_admin' && !adminView ? { all: true } : { all: false, viewerId: viewer.id }
}

/** Converts a period of UTC days, both ends inclusive, to times in milliseconds: `from` inclusive, `before` exclusive. */
export function periodOf({
  date_from,
  date_to,
}: {
  date_from?: string | undefined
  date_to?: string | undefined
}) {
  return {
    from: date_from === undefined ? undefined : Date.parse(date_from),
    before: date_to === undefined ? undefined : Date.parse(date_to) + DAY,
  }
}

/** Adds up the counts by type and by status. Types and statuses without entries are zero. */
export function buildStatistics(
  counts: readonly { type: ActivityType; status: ActivityStatus; total: number }[],
) {
  const sum = (matches: (row: (typeof counts)[number]) => boolean) =>
    counts.filter(matches).reduce((total, row) => total + row.total, 0)
  const countBy = <Kind extends string>(kinds: readonly Kind[], key: 'type' | 'status') =>
    byKey(kinds, kind => sum(row => row[key] === kind))
  return {
    total: sum(() => true),
    by_type: countBy(activityTypes, 'type'),
    by_status: countBy(activityStatuses, 'status'),
  }
}
