import type { BatchItemStatus, batchItem } from '@portal/contract/organisation-batches'
import { batchItemDisplay } from '@portal/format/organisations'
import { Link } from '@portal/router'
import { Status } from '@portal/ui/badge'
import { EmptyState } from '@portal/ui/empty-state'
import { FilterBar } from '@portal/ui/filter-bar'
import { CertificateNumber } from '@portal/ui/mono'
import { Select } from '@portal/ui/select'
import { type Column, Table } from '@portal/ui/table'
import { LetterMenu } from '@portal/verify-flow/letter-menu'
import type { ReactNode } from 'react'
import type * as z from 'zod'
import { organisationPath } from '../../parts/organisation-paths.ts'
import styles from './organisations.module.css'

type Item = z.output<typeof batchItem>

/** The statuses in display order. They are listed here because only types are imported from the contract. */
export const itemStatuses: readonly BatchItemStatus[] = [
  'pending',
  'verified',
  'already_paid',
  'not_found',
  'invalid',
  'cancelled',
]

interface Props {
  organisationId: string
  status: BatchItemStatus | undefined
  onStatus: (status: string) => void
  exportButton: ReactNode
  items: readonly Item[] | undefined
  /** Adds the list's error message, count and pagination to the table, and decides when the table shows its loading state. */
  renderFrame: (table: (loading: boolean) => ReactNode) => ReactNode
}

const columnsOf = (organisationId: string): Column<Item>[] => [
  {
    key: 'number',
    header: 'Certificate',
    rowHeader: true,
    lines: 2,
    cell: ({ certificate_number, verification_id, certificate }) => (
      <>
        {verification_id ? (
          <Link to={organisationPath(organisationId, 'verifications', verification_id)}>
            <CertificateNumber number={certificate_number} />
          </Link>
        ) : (
          <CertificateNumber number={certificate_number} />
        )}
        {certificate && (
          <span className={styles.second}>
            <bdi>{certificate.student_name}</bdi>, {certificate.course}
          </span>
        )}
      </>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    lines: 2,
    cell: ({ status, message }) => (
      <>
        <Status status={batchItemDisplay(status)} variant="plain" />
        {message && <span className={styles.second}>{message}</span>}
      </>
    ),
  },
  {
    key: 'letter',
    header: 'Letter',
    headerHidden: true,
    cell: ({ letter, certificate_number }) =>
      letter && <LetterMenu letter={letter} number={certificate_number} />,
  },
]

/** The numbers of a batch with their results. */
export function BatchItems({ organisationId, status, onStatus, exportButton, items, renderFrame }: Props) {
  return (
    <div>
      <FilterBar label="Filter numbers" actions={exportButton}>
        <Select
          label="Status"
          placeholder="All statuses"
          options={itemStatuses.map(value => ({ value, label: batchItemDisplay(value).label }))}
          value={status ?? ''}
          onChange={event => onStatus(event.target.value)}
        />
      </FilterBar>
      {renderFrame(loading => (
        <Table
          caption="Numbers"
          captionHidden
          columns={columnsOf(organisationId)}
          rows={items}
          rowKey={({ certificate_number }) => certificate_number}
          loading={loading}
          skeletonRows={10}
          empty={<EmptyState title="No number has this status" />}
        />
      ))}
    </div>
  )
}
