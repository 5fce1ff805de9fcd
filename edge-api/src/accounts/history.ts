import type { ChangeSource } from '@portal/contract/history'
import type { Tx } from '../db/database.ts'
import { diffFields } from '../history/fields.ts'
import { originOf } from '../history/origin.ts'
import { type LogEntry, recordHistory } from '../history/record.ts'
import type { User } from './store.ts'

/** Returns the fields of an account under the names used in its history, without the password hash and other secrets. */
export const toValues = (user: User) => ({
  firstname: user.firstname,
  middlename: user.middlename,
  lastname: user.lastname,
  email: user.email,
  phone: user.phone,
  address: user.address,
  role: user.role,
  is_enabled: user.isEnabled,
  is_verified: user.verifiedAt !== null,
})

/**
 * Records a change of an account in its history and in the activity log, in the transaction of the change.
 * @param before undefined for a new account
 */
export async function recordAccountChange(
  tx: Tx,
  call: Parameters<typeof originOf>[0],
  { before, after, kind = 'form' }: { before: User | undefined; after: User; kind?: ChangeSource },
  logEntry: LogEntry,
): Promise<void> {
  await recordHistory(
    tx,
    originOf(call, { kind }),
    [
      {
        kind: 'user',
        recordId: after.id,
        version: after.version,
        action: before ? 'updated' : 'created',
        label: null,
        fields: diffFields(before && toValues(before), toValues(after)),
      },
    ],
    logEntry,
  )
}
