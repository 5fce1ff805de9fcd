import { formatDateTime } from '@portal/format/dates'
import { CertificateNumber } from '@portal/ui/mono'

/* What a record may leave open: old rows and older APIs send null or nothing where ours always has a value. */

type Said = string | null | undefined

/** What stands in place of a value that the record does not have. */
export const NOTHING = '–'

interface MomentProps {
  at: Said
  /** How it is worded; date and time unless given. */
  format?: (at: string) => string
  className?: string | undefined
}

/** A moment in words, never 1970 where there is none. */
export function Moment({ at, format = formatDateTime, className }: MomentProps) {
  if (!at) return <span className={className}>{NOTHING}</span>
  return (
    <time className={className} dateTime={at}>
      {format(at)}
    </time>
  )
}

/** A certificate's number, in a list. */
export function ListedNumber({ number }: { number: Said }) {
  return number ? <CertificateNumber number={number} /> : NOTHING
}
