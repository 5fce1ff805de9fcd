import { fieldLabel, valueInWords } from '@portal/account-ui/record-values'
import type { FieldChange as Change } from '@portal/contract/history'
import styles from './history.module.css'

/** One field's change, such as 'Grade: Pass → First Class': the old value is struck through, the new one underlined. */
export function FieldChange({ field, from, to }: Change) {
  return (
    <>
      {fieldLabel(field)}: <del className={styles.from}>{valueInWords(field, from)}</del> →{' '}
      <ins className={styles.to}>{valueInWords(field, to)}</ins>
    </>
  )
}

/** The changed fields of a record, one per line; for a new record, only the values. */
export function FieldChanges({ changes, isNew = false }: { changes: readonly Change[]; isNew?: boolean }) {
  return (
    <ul className={styles.fields}>
      {changes.map(change => (
        <li key={change.field}>
          {isNew ? (
            `${fieldLabel(change.field)}: ${valueInWords(change.field, change.to)}`
          ) : (
            <FieldChange {...change} />
          )}
        </li>
      ))}
    </ul>
  )
}
