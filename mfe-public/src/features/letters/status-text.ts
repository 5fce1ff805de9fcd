import type { LetterLink } from '@portal/contract/letter'
import { formatLongDate } from '@portal/format/dates'
import { letterDisplay, type StatusDisplay } from '@portal/format/status'

/** The texts that show the result of a letter's check. */
export interface StatusText {
  display: StatusDisplay
  heading: string
  text: string
}

const texts: Record<LetterLink['status'], (since: string) => { heading: string; text: string }> = {
  valid: since => ({
    heading: 'This letter is genuine and still valid',
    text: `The institution issued it on ${since}, and it still matches the register.`,
  }),
  withdrawn: since => ({
    heading: 'This letter was withdrawn',
    text:
      `The institution issued it, and withdrew it on ${since}. Do not rely on it. ` +
      'If you have questions, contact the institution.',
  }),
  superseded: since => ({
    heading: 'This letter is out of date',
    text:
      `The institution issued it, but corrected the certificate in the register on ${since}. Do not rely on it: ask ` +
      'the person who gave it to you for the corrected letter, which they get free of charge.',
  }),
}

/**
 * Returns the heading, sentence and status for a letter's check; dates are in the institution's time zone, as on the letter.
 * @param since when the letter got this status, ISO 8601
 */
export function statusTextOf(status: LetterLink['status'], since: string): StatusText {
  return { display: letterDisplay(status), ...texts[status](formatLongDate(since)) }
}
