import { formatDateTime } from '@portal/format/dates'
import { CertificateNumber } from '@portal/ui/mono'
import { NOTHING } from './nothing.ts'

/* Values that may be missing: old rows and older APIs send null or nothing. */

type MaybeText = string | null | undefined

interface MomentProps {
  at: MaybeText
  /** Formatter; date and time by default. */
  format?: (at: string) => string
  className?: string | undefined
}

/** Formats a timestamp, or shows a placeholder instead of 1970. */
export function Moment({ at, format = formatDateTime, className }: MomentProps) {
  if (!at) return <span className={className}>{NOTHING}</span>
  return (
    <time className={className} dateTime={at}>
      {format(at)}
    </time>
  )
}

/** A certificate number in a list. */
export function ListedNumber({ number }: { number: MaybeText }) {
  return number ? <CertificateNumber number={number} /> : NOTHING
}
