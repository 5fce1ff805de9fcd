import type { OrganisationVerification } from '@portal/contract/organisation-shapes'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { sourceLabel, verificationDisplay } from '@portal/format/organisations'
import { Link } from '@portal/router'
import { Status } from '@portal/ui/badge'
import { CertificateNumber } from '@portal/ui/mono'
import { type Column, Table } from '@portal/ui/table'
import type { ReactNode } from 'react'
import { organisationPath } from '../../parts/organisation-paths.ts'
import styles from './organisations.module.css'

const columnsOf = (organisationId: string): Column<OrganisationVerification>[] => [
  {
    key: 'certificate',
    header: 'Certificate',
    rowHeader: true,
    lines: 2,
    cell: ({ id, certificate_number, reference }) => (
      <>
        <Link to={organisationPath(organisationId, 'verifications', id)}>
          <CertificateNumber number={certificate_number} />
        </Link>
        {reference && <span className={styles.second}>Reference {reference}</span>}
      </>
    ),
  },
  {
    key: 'result',
    header: 'Result',
    nowrap: true,
    cell: verification => <Status status={verificationDisplay(verification)} variant="plain" />,
  },
  {
    key: 'requester',
    header: 'Requested by',
    lines: 2,
    cell: ({ requested_by, source }) => (
      <>
        <bdi className={styles.text}>{requested_by?.name ?? 'API key'}</bdi>
        <span className={styles.second}>{sourceLabel(source)}</span>
      </>
    ),
  },
  {
    key: 'date',
    header: 'Date',
    nowrap: true,
    cell: ({ created_at }) => <time dateTime={created_at}>{formatDateTime(created_at)}</time>,
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    nowrap: true,
    secondary: true,
    cell: ({ amount, currency }) => formatMoney(amount, currency),
  },
]

interface Props {
  organisationId: string
  rows: readonly OrganisationVerification[] | undefined
  loading: boolean
  empty: ReactNode
}

/** A table of an organisation's verifications; the number links to the result and its letter. */
export function VerificationTable({ organisationId, rows, loading, empty }: Props) {
  return (
    <Table
      caption="Verifications"
      captionHidden
      columns={columnsOf(organisationId)}
      rows={rows}
      rowKey={({ id }) => id}
      loading={loading}
      skeletonRows={10}
      empty={empty}
    />
  )
}
