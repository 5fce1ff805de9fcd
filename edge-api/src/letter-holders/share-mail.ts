import { compose, type Sender } from '../mail/templates.ts'
import type { Mail } from '../ports.ts'

/**
 * A letter's address for a colleague of its holder. The letter itself stays behind the link, where it can be withdrawn;
 * of the graduate the mail says nothing.
 * @param message the holder's own words, if any
 */
export function sharedLetterMail(
  sender: Sender,
  {
    email,
    from,
    refNumber,
    url,
    message,
  }: {
    email: string
    /** Address of the holder, which they confirmed; the name is only what they typed. */
    from: string
    refNumber: string
    url: string
    message: string | null
  },
): Mail {
  const { institution } = sender
  return compose(
    sender,
    { email },
    {
      subject: 'A verification letter was shared with you',
      preview: 'Open it, and see whether it is genuine and still valid.',
      heading: 'A verification letter was shared with you',
      paragraphs: [
        `${from} shares the verification letter ${refNumber} of ${institution} with you.`,
        ...(message === null ? [] : [`Their message: “${message}”`]),
      ],
      action: { label: 'Open the letter', url },
      notes: [
        'The page says whether the letter is genuine and still valid, and has it as a signed PDF.',
        'You received this mail because someone entered your address. You need no account, and we will not write again.',
      ],
    },
  )
}
