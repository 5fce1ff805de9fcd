import type { RegisterChange } from '@portal/contract/register-changes'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { CertificateNumber } from '@portal/ui/mono'
import { type Column, Table, type TableProps } from '@portal/ui/table'
import type { ReactNode } from 'react'
import { EMPTY_VALUE } from '../../parts/empty-value.ts'
import { FieldChanges } from '../../parts/history/field-change.tsx'
import { actionLabel, Source } from '../../parts/history/source.tsx'
import lists from '../../parts/list.module.css'
import { ListedEmail } from '../../parts/listed-email.tsx'
import { Moment } from '../../parts/optional-values.tsx'
import styles from './register-changes.module.css'

/** The certificate of a change, as a link unless it was purged: then it no longer has a page. */
const CertificateLink = ({ action, certificate_id: id, certificate_number: number }: RegisterChange) =>
  action === 'purged' ? (
    <CertificateNumber number={number} />
  ) : (
    <Link to={`${paths.certificate(id)}?tab=history`}>
      <CertificateNumber number={number} />
    </Link>
  )

const columns: readonly Column<RegisterChange>[] = [
  {
    key: 'certificate',
    header: 'Certificate',
    rowHeader: true,
    nowrap: true,
    cell: change => (
      <>
        <CertificateLink {...change} />
        <Moment className={lists.second} at={change.at} />
      </>
    ),
  },
  {
    key: 'change',
    header: 'Change',
    cell: change =>
      change.changes.length > 0 && change.action === 'updated' ? (
        <div className={`${lists.text} ${styles.changes}`}>
          <FieldChanges changes={change.changes} />
        </div>
      ) : (
        <span className={lists.words}>{actionLabel(change.action)}</span>
      ),
  },
  {
    key: 'by',
    header: 'By',
    cell: change => (change.actor ? <ListedEmail address={change.actor.email} /> : 'The portal'),
  },
  {
    key: 'reason',
    header: 'Reason',
    cell: change => <span className={lists.text}>{change.reason ?? EMPTY_VALUE}</span>,
  },
  {
    key: 'source',
    header: 'Source',
    cell: change => (
      <span className={lists.text}>
        <Source {...change.source} />
      </span>
    ),
  },
]

interface Props {
  changes: TableProps<RegisterChange>['rows']
  loading: boolean
  empty: ReactNode
}

/** A table with one page of changes. */
export function ChangeTable({ changes, loading, empty }: Props) {
  return (
    <Table
      caption="Register changes"
      captionHidden
      columns={columns}
      rows={changes}
      rowKey={change => `${change.certificate_id} ${change.version} ${change.action}`}
      loading={loading}
      skeletonRows={8}
      empty={empty}
    />
  )
}
