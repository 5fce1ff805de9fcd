import { isApiError } from '@portal/api/error'
import type { Change, ChangeValue } from '@portal/contract/history'
import { formatDateTime } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Table } from '@portal/ui/table'
import { fieldLabel, valueInWords } from './record-values.ts'

export type Values = Readonly<Record<string, unknown>>

/** True if the server refused the change because someone else had changed the record in the meantime. */
export const isConflict = (error: unknown) => isApiError(error) && error.code === 'VERSION_CONFLICT'

/** Returns the `If-Match` header for a change that must apply only to this version. */
export const ifMatch = ({ version }: { version: number }) => ({ 'if-match': `"${version}"` })

const isSame = (first: unknown, second: unknown) =>
  JSON.stringify(first ?? '') === JSON.stringify(second ?? '')

/** Returns the names of the fields in which two versions of a record differ. */
export const differingFields = (first: Values, second: Values): string[] =>
  Object.keys(first).filter(name => !isSame(first[name], second[name]))

interface Props {
  /** The record when the form was opened. */
  before: Values
  /** The record after the other user's change. */
  now: Values
  /** The user's input. */
  mine: Values
  /** Who changed the record and when. */
  change: Change | undefined
  onTakeTheirs: () => void
  onSaveMine: () => void
}

/** Shows the differences after someone else changed the record. The form around it keeps the user's input. */
export function Conflict({ before, now, mine, change, onTakeTheirs, onSaveMine }: Props) {
  const { actor, at } = change ?? {}
  const rows = Object.keys(before).filter(
    name => !isSame(before[name], now[name]) || !isSame(now[name], mine[name]),
  )
  const toText = (name: string, value: unknown) => valueInWords(name, value as ChangeValue)
  return (
    <>
      <Alert
        tone="warning"
        title="Someone else changed this record while you were editing it."
        actions={
          <>
            <Button onClick={onTakeTheirs}>Use Their Version</Button>
            <Button variant="primary" onClick={onSaveMine}>
              Save Mine
            </Button>
          </>
        }
      >
        {at && `Changed by ${actor?.email ?? 'the portal'} on ${formatDateTime(at)}.`}
      </Alert>
      <Table
        caption="Fields that differ"
        columns={[
          { key: 'field', header: 'Field', rowHeader: true, cell: fieldLabel },
          { key: 'before', header: 'Before', cell: name => toText(name, before[name]) },
          { key: 'now', header: 'Now', cell: name => toText(name, now[name]) },
          { key: 'mine', header: 'Yours', cell: name => toText(name, mine[name]) },
        ]}
        rows={rows}
        rowKey={name => name}
      />
    </>
  )
}
