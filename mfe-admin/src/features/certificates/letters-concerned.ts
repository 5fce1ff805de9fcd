import type { Certificate } from '@portal/contract/shapes'

/** A certificate as the list has it: with how many letters a change of it concerns. */
export type WithLetters = Certificate & { letters?: number }

const counted = (count: number) => (count === 1 ? '1 letter' : `${count} letters`)

/** What follows when a certificate is deleted. */
export function deletionNote({ letters }: Pick<WithLetters, 'letters'>): string {
  if (letters === undefined) return 'It can no longer be verified, and letters issued for it are withdrawn.'
  if (letters === 0) return 'It can no longer be verified. No letter was issued for it.'
  const [are, holders] = letters === 1 ? ['is', 'its holder is'] : ['are', 'their holders are']
  return `It can no longer be verified, and ${counted(letters)} issued for it ${are} withdrawn: ${holders} told by mail.`
}

/** What follows when a certificate is corrected; empty where no letter says anything of it. */
export function correctionNote({ letters = 0 }: Pick<WithLetters, 'letters'>): string {
  if (letters === 0) return ''
  const [were, them, holders] =
    letters === 1 ? ['was', 'it', 'its holder is'] : ['were', 'them', 'their holders are']
  return (
    `${counted(letters)} ${were} issued for this certificate. Another number, name, course, grade or graduation date ` +
    `makes ${them} out of date, and ${holders} told by mail.`
  )
}
