import { groupTransactionId } from '@portal/format/transaction-id'
import { Fragment, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './mono.module.css'

/**
 * Text that people compare character by character, such as references and codes. Lines break preferably after `breakAfter`, as
 * in a URL after `/`.
 */
export function Code({ children, breakAfter }: { children: string; breakAfter?: string }) {
  return (
    <code className={styles.mono} dir="ltr">
      {breakAfter ? withBreaks(children, breakAfter) : children}
    </code>
  )
}

/** Returns a long ID or file name in which lines may break after `breakAfter`. */
export function withBreaks(text: string, breakAfter: string): ReactNode {
  const parts = text.split(breakAfter)
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: static parts of one text
    <Fragment key={index}>
      {part}
      {index < parts.length - 1 && (
        <>
          {breakAfter}
          <wbr />
        </>
      )}
    </Fragment>
  ))
}

/**
 * Maximum length of a certificate number in which no line break is allowed, because a hidden `<wbr>` adds spaces to its
 * accessible name.
 */
const MAX_UNBROKEN_LENGTH = 16

/** A certificate number, exactly as it is printed. */
export function CertificateNumber({
  number,
  size = 'text',
}: {
  number: string
  size?: 'text' | 'large' | undefined
}) {
  const short = number.length <= MAX_UNBROKEN_LENGTH
  return (
    <span
      className={classNames(
        styles.mono,
        styles.number,
        size === 'large' && styles.large,
        short && styles.short,
      )}
      translate="no"
      dir="ltr"
    >
      {short ? number : withBreaks(number, '/')}
    </span>
  )
}

interface TransactionIdProps {
  id: string
  /** Adds a button that copies the ID. */
  copy?: boolean | undefined
  /**
   * True to show only the first and the last group, as in tables. The whole ID remains available to search, copying and screen
   * readers.
   */
  short?: boolean | undefined
  /** Wraps the ID, without the copy button, in a link or a button. */
  wrap?: (id: ReactNode) => ReactNode
}

/** A transaction ID in groups of four. */
export function TransactionId({
  id,
  copy = false,
  short = false,
  wrap = shown => shown,
}: TransactionIdProps) {
  const groupedId = groupTransactionId(id)
  const [first, last] = [groupedId.indexOf('-'), groupedId.lastIndexOf('-')]
  return (
    <span className={styles.id}>
      {wrap(
        <span className={styles.mono} translate="no" dir="ltr" title={short ? groupedId : undefined}>
          {short && first < last ? (
            <>
              {groupedId.slice(0, first)}
              <span className={styles.middle}>{groupedId.slice(first, last + 1)}</span>
              {groupedId.slice(last + 1)}
            </>
          ) : (
            withBreaks(groupedId, '-')
          )}
        </span>,
      )}
      {copy && (
        <span className={classNames(short && styles.copy)} data-print="hidden">
          <CopyButton
            text={groupedId}
            label={short ? `Copy transaction ID ${groupedId}` : 'Copy transaction ID'}
            compact
          />
        </span>
      )}
    </span>
  )
}
