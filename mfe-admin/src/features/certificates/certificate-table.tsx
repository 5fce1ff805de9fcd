import type { CertificateDetail } from '@portal/contract/admin-certificates'
import type { RegisterSort } from '@portal/contract/register-filters'
import type { Certificate } from '@portal/contract/shapes'
import { formatShortDate } from '@portal/format/dates'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Button } from '@portal/ui/button'
import { Checkbox } from '@portal/ui/checkbox'
import { classNames } from '@portal/ui/class-names'
import { OneLine } from '@portal/ui/one-line'
import { type Column, type Sort, Table, type TableProps } from '@portal/ui/table'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import { Pencil, Trash2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import lists from '../../parts/list.module.css'
import { ListedNumber, Moment } from '../../parts/optional-values.tsx'
import styles from './certificates.module.css'

interface Props {
  certificates: TableProps<Row>['rows']
  loading: boolean
  empty: ReactNode
  sort: RegisterSort
  onSort: (sort: RegisterSort) => void
  onEdit: (certificate: Certificate) => void
  onDelete: (certificate: Certificate) => void
  /** Restores a certificate. Set in the list of deleted certificates, where it replaces the other actions. */
  onRestore?: ((certificate: Certificate) => void) | undefined
  isSelected: (id: string) => boolean
  onSelect: (id: string, isSelected: boolean) => void
}

type Row = Certificate & {
  [Name in 'deleted_at' | 'deleted_by' | 'purge_on']?: CertificateDetail[Name] | undefined
}

const sortKeys = {
  number: 'certificate_number',
  student: 'student_name',
  grade: 'graduation_date',
} as const

type SortKey = keyof typeof sortKeys

function toTableSort(sort: RegisterSort): Sort | undefined {
  const key = (Object.keys(sortKeys) as SortKey[]).find(item => sort.endsWith(sortKeys[item]))
  return key && { key, direction: sort.startsWith('-') ? 'desc' : 'asc' }
}

const toRegisterSort = ({ key, direction }: Sort): RegisterSort =>
  `${direction === 'desc' ? '-' : ''}${sortKeys[key as SortKey]}`

const courseColumn: Column<Row> = {
  key: 'course',
  header: 'Course',
  secondary: true,
  cell: row => (
    <span className={lists.text}>
      <OneLine text={row.course} />
      <OneLine className={lists.second} text={row.department} />
    </span>
  ),
}

/** The column that replaces the course in the list of deleted certificates. */
const deletionColumn: Column<Row> = {
  key: 'deleted',
  header: 'Deleted',
  cell: row => (
    <span className={classNames(lists.text, styles.deleted)}>
      {row.deleted_at && formatShortDate(row.deleted_at)}
      {row.deleted_by && ` by ${row.deleted_by}`}
      <span className={lists.second}>
        {row.purge_on
          ? `Can be restored until ${formatShortDate(row.purge_on)}`
          : 'Can be restored at any time'}
      </span>
    </span>
  ),
}

function buildColumns({
  onEdit,
  onDelete,
  onRestore,
  isSelected,
  onSelect,
}: Pick<Props, 'onEdit' | 'onDelete' | 'onRestore' | 'isSelected' | 'onSelect'>): Column<Row>[] {
  return [
    {
      key: 'select',
      header: 'Select',
      headerHidden: true,
      cell: row => (
        <Checkbox
          className={styles.check}
          label={<VisuallyHidden>Select {row.certificate_number}</VisuallyHidden>}
          checked={isSelected(row.id)}
          onChange={event => onSelect(row.id, event.target.checked)}
        />
      ),
    },
    {
      key: 'number',
      header: 'Certificate number',
      sortable: true,
      rowHeader: true,
      cell: row => (
        <span className={styles.number}>
          <Link to={paths.certificate(row.id)}>
            <ListedNumber number={row.certificate_number} />
          </Link>
        </span>
      ),
    },
    {
      key: 'student',
      header: 'Student',
      sortable: true,
      cell: row => (
        <span className={lists.text}>
          <OneLine className={styles.name} text={row.student_name} />
          {row.matric_number && <span className={lists.second}>{row.matric_number}</span>}
        </span>
      ),
    },
    ...(onRestore ? [] : [courseColumn]),
    {
      key: 'grade',
      header: 'Award',
      sortable: true,
      cell: row => (
        <span className={lists.text}>
          <span className={onRestore ? undefined : styles.whole}>{row.grade}</span>
          <Moment className={lists.second} at={row.graduation_date} format={formatShortDate} />
        </span>
      ),
    },
    ...(onRestore ? [deletionColumn] : []),
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      cell: row =>
        onRestore ? (
          <span className={styles.restore}>
            <Button
              size="sm"
              variant="quiet"
              icon={Undo2}
              aria-label={`Restore ${row.certificate_number}`}
              onClick={() => onRestore(row)}
            >
              Restore
            </Button>
          </span>
        ) : (
          <span className={styles.row}>
            <Button
              size="sm"
              variant="quiet"
              icon={Pencil}
              aria-label={`Edit ${row.certificate_number}`}
              title="Edit"
              onClick={() => onEdit(row)}
            >
              <span className={styles.word}>Edit</span>
            </Button>
            <Button
              size="sm"
              variant="quiet"
              icon={Trash2}
              aria-label={`Delete ${row.certificate_number}`}
              title="Delete"
              onClick={() => onDelete(row)}
            >
              <span className={styles.word}>Delete</span>
            </Button>
          </span>
        ),
    },
  ]
}

/** A table with one page of certificates. */
export function CertificateTable({ certificates, loading, empty, sort, onSort, ...actions }: Props) {
  return (
    <Table
      caption="Certificates"
      captionHidden
      columns={buildColumns(actions)}
      rows={certificates}
      rowKey={row => row.id}
      loading={loading}
      skeletonRows={8}
      empty={empty}
      sort={toTableSort(sort)}
      onSort={next => onSort(toRegisterSort(next))}
    />
  )
}
