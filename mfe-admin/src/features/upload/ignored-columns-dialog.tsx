import { failedRowsColumns } from '@portal/contract/upload-columns'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import styles from './upload.module.css'

/** Returns the ignored columns to ask about: all except those that the file of failed rows adds. */
export const columnsToConfirm = (ignored: readonly string[]) =>
  ignored.filter(name => !failedRowsColumns.some(column => column === name.trim().toLowerCase()))

interface Props {
  /** The ignored columns; undefined while the dialog is closed. */
  ignored: readonly string[] | undefined
  onImport: () => void
  onCancel: () => void
}

/** Asks for confirmation before a file is imported without some of its columns. */
export function IgnoredColumnsDialog({ ignored, onImport, onCancel }: Props) {
  const count = ignored?.length ?? 0
  return (
    <ConfirmDialog
      open={ignored !== undefined}
      title={count === 1 ? 'Import without this column?' : `Import without these ${count} columns?`}
      confirmLabel="Import anyway"
      danger={false}
      onConfirm={onImport}
      onCancel={onCancel}
    >
      <p>
        {count === 1 ? 'This column is' : 'These columns are'} not recognised, so{' '}
        {count === 1 ? 'its values' : 'their values'} will not be imported:
      </p>
      <ul className={styles.names}>
        {ignored?.map(name => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
