import type { LetterLink } from '@portal/contract/letter'
import { letterDisplay, type StatusDisplay } from '@portal/format/status'

/** What is said of a letter, by whether it still stands. */
export interface Standing {
  display: StatusDisplay
  heading: string
  text: string
}

const texts: Record<LetterLink['status'], { heading: string; text: string }> = {
  valid: {
    heading: 'This letter is genuine and stands',
    text: 'It was issued by the registry, and what it says is still on record.',
  },
  withdrawn: {
    heading: 'This letter was withdrawn',
    text: 'It was issued by the registry, but does not stand any more. Do not rely on it; please contact support.',
  },
  superseded: {
    heading: 'This letter was replaced',
    text: 'It was issued by the registry, but a newer letter has taken its place. Ask for the newer one.',
  },
}

/** Heading, sentence and status of a letter's check. */
export function standingOf(status: LetterLink['status']): Standing {
  return { display: letterDisplay(status), ...texts[status] }
}
