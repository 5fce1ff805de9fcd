import type { adminSettings, SettingGroup } from '@portal/contract/admin-settings'
import type { Change, ChangeValue } from '@portal/contract/history'
import { type ExpectedVersion, isExpected } from '@portal/contract/if-match'
import { paginate } from '@portal/contract/shapes'
import { toMajor } from '@portal/format/money'
import type { Reader } from '../db/database.ts'
import { displayEmail, ERASED_ACCOUNT } from '../erased.ts'
import { Fault } from '../fault.ts'
import { diffFields } from '../history/fields.ts'
import type { Handler } from '../http/serve.ts'
import { iso } from '../wire.ts'
import { type SettingKey, settingShapes } from './rules.ts'
import { listAllChanges, type SettingChange } from './store.ts'

/* Versions and history of groups of settings, which are derived from the changes of their keys. */

const keys: Record<SettingGroup, readonly SettingKey[]> = {
  fee: ['fee'],
  tax: ['tax'],
  policies: ['policies'],
  institution: ['institution'],
  letter: ['signature', 'letter_texts'],
}

/** True if the same call made both changes. Its changes of several keys count as one change of the group. */
const isSameCall = (previous: SettingChange, next: SettingChange) =>
  previous.at === next.at &&
  previous.userId === next.userId &&
  previous.key !== next.key &&
  previous.id + 1 === next.id

/** Returns the changes of a group, oldest first. Each has one row per key that it changed. */
async function listChangesOfGroup(db: Reader, group: SettingGroup): Promise<SettingChange[][]> {
  const changes: SettingChange[][] = []
  for (const row of await listAllChanges(db, { keys: keys[group] })) {
    const last = changes.at(-1)?.at(-1)
    if (last && isSameCall(last, row)) changes.at(-1)?.push(row)
    else changes.push([row])
  }
  return changes
}

/** Returns the version of a group: the number of its recorded changes plus 1. */
export async function readGroupVersion(db: Reader, group: SettingGroup): Promise<number> {
  return (await listChangesOfGroup(db, group)).length + 1
}

/** Requires that a group has the version that the caller expects. @throws Fault `VERSION_CONFLICT` if it has another one */
export async function requireGroupVersion(
  db: Reader,
  { expected }: { expected: ExpectedVersion | undefined },
  group: SettingGroup,
): Promise<void> {
  if (expected === undefined) return
  if (!isExpected(expected, await readGroupVersion(db, group))) throw new Fault('VERSION_CONFLICT')
}

type Values = Record<string, ChangeValue>

/** Converts stored values for the history: renames their fields, and converts money to major units. */
const toValues = (key: string, value: unknown): Values =>
  key === 'fee' ? { verification_fee: toMajor(settingShapes.fee.parse(value).minor) } : (value as Values)

function toChangeResponse(rows: readonly SettingChange[], version: number): Change[] {
  const [row] = rows
  if (!row) return []
  const { userId, userEmail } = row
  return [
    {
      version,
      action: 'updated',
      at: iso(row.at),
      actor: userId === null ? null : { id: userId, email: displayEmail(userEmail) ?? ERASED_ACCOUNT },
      source: { kind: userId === null ? 'system' : 'form', id: null, label: null },
      reason: null,
      changes: rows.flatMap(({ key, from, to }) => diffFields(toValues(key, from), toValues(key, to))),
    },
  ]
}

/** Lists all recorded changes of a group, newest first. */
export const showSettingHistory: Handler<typeof adminSettings.history> = async ({ db, params, query }) => {
  const { page, per_page: perPage } = query
  const changes = await listChangesOfGroup(db.read, params.group)
  const newest = changes.flatMap((rows, index) => toChangeResponse(rows, index + 2)).reverse()
  const offset = (page - 1) * perPage
  return {
    changes: newest.slice(offset, offset + perPage),
    pagination: paginate(page, perPage, newest.length),
  }
}
