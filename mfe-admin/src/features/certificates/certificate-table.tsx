import type { Certificate } from '@portal/contract/shapes'
import { formatShortDate } from '@portal/format/dates'
import { Button } from '@portal/ui/button'
import { type Column, Table } from '@portal/ui/table'
import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { ListedNumber, Moment } from '../../parts/optional-values.tsx'
import styles from './certificates.module.css'

interface Props {
  certificates: readonly Certificate[]
  loading: boolean
  empty: ReactNode
  onEdit: (certificate: Certificate) => void
  onDelete: (certificate: Certificate) => void
}

function columns({ onEdit, onDelete }: Pick<Props, 'onEdit' | 'onDelete'>): Column<Certificate>[] {
  return [
    {
      key: 'number',
      header: 'Certificate number',
      rowHeader: true,
      cell: row => (
        <span className={styles.number}>
          <ListedNumber number={row.certificate_number} />
        </span>
      ),
    },
    {
      key: 'student',
      header: 'Student',
      cell: row => (
        <span className={styles.text}>
          {row.student_name}
          {row.matric_number && <span className={styles.second}>{row.matric_number}</span>}
        </span>
      ),
    },
    {
      key: 'course',
      header: 'Course',
      cell: row => (
        <span className={styles.text}>
          {row.course}
          <span className={styles.second}>{row.department}</span>
        </span>
      ),
    },
    {
      key: 'grade',
      header: 'Award',
      cell: row => (
        <span className={styles.text}>
          {row.grade}
          <Moment className={styles.second} at={row.graduation_date} format={formatShortDate} />
        </span>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      cell: row => (
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

/** One page of certificates. */
export function CertificateTable({ certificates, loading, empty, onEdit, onDelete }: Props) {
  return (
    <Table
      caption="Certificates"
      captionHidden
      columns={columns({ onEdit, onDelete })}
      rows={certificates}
      rowKey={row => row.id}
      loading={loading}
      skeletonRows={8}
      empty={empty}
    />
  )
}
