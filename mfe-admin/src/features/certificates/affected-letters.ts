import type { Certificate } from '@portal/contract/shapes'

/** A certificate in the list, with the number of its letters that are still valid. */
export type WithLetters = Certificate & { letters?: number }

const counted = (count: number) => (count === 1 ? '1 letter' : `${count} letters`)

/** Describes what deleting a certificate does. */
export function deletionNote({ letters }: Pick<WithLetters, 'letters'>): string {
  if (letters === undefined) return 'It can no longer be verified, and letters issued for it are withdrawn.'
  if (letters === 0)
    return 'It can no longer be verified. It has no valid letter; any earlier ones are withdrawn.'
  const [are, holders] = letters === 1 ? ['is', 'the letter holder is'] : ['are', 'the letter holders are']
  return `It can no longer be verified, and ${counted(letters)} issued for it ${are} withdrawn: ${holders} notified by email.`
}

/** Describes what editing a certificate does; empty if it has no letters. */
export function correctionNote({ letters = 0 }: Pick<WithLetters, 'letters'>): string {
  if (letters === 0) return ''
  const [were, them, holders] =
    letters === 1 ? ['was', 'it', 'the letter holder is'] : ['were', 'them', 'the letter holders are']
  return (
    `${counted(letters)} ${were} issued for this certificate. Changing the number, name, course, grade or graduation date ` +
    `makes ${them} out of date, and ${holders} notified by email.`
  )
}
