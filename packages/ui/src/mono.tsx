import { groupTransactionId } from '@portal/format/transaction-id'
import { Fragment } from 'react'
import { classNames } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './mono.module.css'

/** Text compared character by character: references, codes. */
export function Code({ children }: { children: string }) {
  return <code className={styles.mono}>{children}</code>
}

/** Allows line breaks in a long id only after `mark`. */
function Breakable({ text, mark }: { text: string; mark: string }) {
  const parts = text.split(mark)
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: static parts of one text
    <Fragment key={index}>
      {part}
      {index < parts.length - 1 && (
        <>
          {mark}
          <wbr />
        </>
      )}
    </Fragment>
  ))
}

/** A certificate number, exactly as printed. */
export function CertificateNumber({
  number,
  size = 'text',
}: {
  number: string
  size?: 'text' | 'large' | undefined
}) {
  return (
    <span className={classNames(styles.mono, styles.number, size === 'large' && styles.large)} translate="no">
      <Breakable text={number} mark="/" />
    </span>
  )
}

/** A transaction ID in groups of four, with a copy button. */
export function TransactionId({ id, copy = false }: { id: string; copy?: boolean | undefined }) {
  const grouped = groupTransactionId(id)
  return (
    <span className={styles.id}>
      <span className={styles.mono} translate="no">
        <Breakable text={grouped} mark="-" />
      </span>
      {copy && <CopyButton text={grouped} label="Copy transaction ID" compact />}
    </span>
  )
}
