import type { CertificateDetail } from '@portal/contract/admin-certificates'
import type { Change } from '@portal/contract/history'
import { formatDateTime } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Table } from '@portal/ui/table'
import { type CertificateForm, fieldLabels, formValues } from './certificate-form.ts'
import styles from './certificates.module.css'

/** The certificate as someone else has changed it, and their change. */
export interface Theirs {
  certificate: CertificateDetail
  change: Change | undefined
}

interface Props {
  before: CertificateForm
  theirs: Theirs
  mine: CertificateForm
  onTakeTheirs: () => void
  onSaveMine: () => void
}

const names = Object.keys(fieldLabels) as (keyof CertificateForm)[]

/** Shows what differs after someone else changed the certificate; the form below keeps the input. */
export function Conflict({ before, theirs, mine, onTakeTheirs, onSaveMine }: Props) {
  const now = formValues(theirs.certificate)
  const rows = names.filter(name => before[name] !== now[name] || now[name] !== mine[name])
  const { actor, at } = theirs.change ?? {}
  const text = (value: unknown) => <span className={styles.text}>{value ? String(value) : 'none'}</span>
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
        {actor?.email && at && `Changed by ${actor.email} on ${formatDateTime(at)}.`}
      </Alert>
      <Table
        caption="Fields that differ"
        columns={[
          { key: 'field', header: 'Field', rowHeader: true, cell: name => fieldLabels[name] },
          { key: 'before', header: 'Before', cell: name => text(before[name]) },
          { key: 'now', header: 'Now', cell: name => text(now[name]) },
          { key: 'mine', header: 'Yours', cell: name => text(mine[name]) },
        ]}
        rows={rows}
        rowKey={name => name}
      />
    </>
  )
}
