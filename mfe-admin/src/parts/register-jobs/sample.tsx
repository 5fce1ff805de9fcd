import type { JobPreview } from '@portal/contract/register-jobs'
import { CertificateNumber } from '@portal/ui/mono'
import { type Column, Table } from '@portal/ui/table'
import { FieldChanges } from '../history/field-change.tsx'

type Row = JobPreview['sample'][number]

const numberColumn: Column<Row> = {
  key: 'number',
  header: 'Certificate number',
  rowHeader: true,
  cell: row => <CertificateNumber number={row.certificate_number} />,
}
const studentColumn: Column<Row> = { key: 'student', header: 'Student', cell: row => row.student_name }
const changesColumn: Column<Row> = {
  key: 'changes',
  header: 'Change',
  // The revert of an upload restores the certificates that it changed, and deletes those that it added (without changes here).
  cell: row => (row.changes.length > 0 ? <FieldChanges changes={row.changes} /> : 'Deleted'),
}

/** The first certificates that a job would change. */
export function Sample({ sample, to_change: total }: Pick<JobPreview, 'sample' | 'to_change'>) {
  if (sample.length === 0) return null
  const hasChanges = sample.some(row => row.changes.length > 0)
  return (
    <Table
      caption={total > sample.length ? `The first ${sample.length}` : 'Certificates'}
      columns={hasChanges ? [numberColumn, studentColumn, changesColumn] : [numberColumn, studentColumn]}
      rows={sample}
      rowKey={row => row.id}
    />
  )
}
