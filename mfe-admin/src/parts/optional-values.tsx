import { formatDateTime } from '@portal/format/dates'
import { CertificateNumber } from '@portal/ui/mono'
import { EMPTY_VALUE } from './empty-value.ts'

/* Components for values that may be missing: old rows and older APIs have null or nothing. */

type MaybeText = string | null | undefined

interface MomentProps {
  at: MaybeText
  /** The formatter; by default, it shows date and time. */
  format?: (at: string) => string
  className?: string | undefined
}

/** Formats a timestamp, or shows a placeholder if it is missing (instead of a date in 1970). */
export function Moment({ at, format = formatDateTime, className }: MomentProps) {
  if (!at) return <span className={className}>{EMPTY_VALUE}</span>
  return (
    <time className={className} dateTime={at}>
      {format(at)}
    </time>
  )
}

/** A certificate number in a list. */
export function ListedNumber({ number }: { number: MaybeText }) {
  return number ? <CertificateNumber number={number} /> : EMPTY_VALUE
}
