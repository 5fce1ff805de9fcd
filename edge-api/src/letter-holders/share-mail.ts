import { composeMail, type Sender } from '../mail/templates.ts'
import type { Mail } from '../ports.ts'

/**
 * Returns the mail with the link to a letter that its holder shares. The letter is not attached, because it may be withdrawn
 * later, and the mail contains nothing about the graduate.
 * @param message the letter holder's own words, if any
 */
export function composeSharedLetterMail(
  sender: Sender,
  {
    email,
    holderEmail,
    refNumber,
    url,
    message,
  }: {
    email: string
    /** Names the letter holder in the mail, because the email address, unlike the name, has been confirmed. */
    holderEmail: string
    refNumber: string
    url: string
    message: string | null
  },
): Mail {
  const { institution } = sender
  return composeMail(
    sender,
    { email },
    {
      subject: 'A verification letter was shared with you',
      preview: 'Open it to see whether it is genuine and still valid.',
      heading: 'A verification letter was shared with you',
      paragraphs: [
        `${holderEmail} has shared the verification letter ${refNumber} of ${institution} with you.`,
        ...(message === null ? [] : [`Their message: “${message}”`]),
      ],
      action: { label: 'Open the letter', url },
      notes: [
        'The page shows whether the letter is genuine and still valid. You can also download it there as a signed PDF.',
        "You received this email because someone entered your address. You don't need an account, and we won't write to you again.",
      ],
    },
  )
}
