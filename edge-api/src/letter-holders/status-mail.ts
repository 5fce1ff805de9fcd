import type { LetterLink } from '@portal/contract/letter'
import { composeMail, type Recipient, type Sender } from '../mail/templates.ts'
import { formatNumberList } from '../number-list.ts'
import type { Mail } from '../ports.ts'

interface MailTexts {
  subject: string
  explanation: string
  advice: string
}

const singular: Record<LetterLink['status'], MailTexts> = {
  withdrawn: {
    subject: 'Your verification letter was withdrawn',
    explanation:
      'The institution has withdrawn the certificate in your verification letter, so the letter is no longer valid. ' +
      'Its public page now shows this.',
    advice: 'Please do not rely on the letter any longer, and tell everyone you gave it to.',
  },
  superseded: {
    subject: 'Your verification letter was superseded',
    explanation:
      'The certificate in your verification letter was corrected after the letter was issued, so the letter is out of ' +
      'date. Its public page now shows this.',
    advice: 'Get the corrected letter from your verification history, free of charge.',
  },
  valid: {
    subject: 'Your verification letter is valid again',
    explanation:
      'The certificate matches your verification letter again. The letter is valid as issued, and its public page shows this.',
    advice: "You don't need to do anything.",
  },
}

const plural: Record<LetterLink['status'], MailTexts> = {
  withdrawn: {
    subject: 'Some of your verification letters were withdrawn',
    explanation:
      'The institution has withdrawn the certificates in these verification letters, so the letters are no longer ' +
      'valid. Their public pages now show this.',
    advice: 'Please do not rely on the letters any longer, and tell everyone you gave them to.',
  },
  superseded: {
    subject: 'Some of your verification letters were superseded',
    explanation:
      'The certificates in these verification letters were corrected after the letters were issued, so the letters are ' +
      'out of date. Their public pages now show this.',
    advice: 'Get the corrected letters from your verification history, free of charge.',
  },
  valid: {
    subject: 'Some of your verification letters are valid again',
    explanation:
      'The certificates match these verification letters again. The letters are valid as issued, and their public pages ' +
      'show this.',
    advice: "You don't need to do anything.",
  },
}

/**
 * Returns the mail that notifies a letter holder of a new status of some letters. Of the certificates, it contains only the
 * numbers.
 */
export function composeStatusMail(
  sender: Sender,
  to: Recipient,
  { numbers, status }: { numbers: readonly string[]; status: LetterLink['status'] },
): Mail {
  const { subject, explanation, advice } = (numbers.length === 1 ? singular : plural)[status]
  return composeMail(sender, to, {
    subject,
    preview: formatNumberList(numbers, 3),
    heading: subject,
    paragraphs: [
      `${numbers.length === 1 ? 'Certificate' : 'Certificates'}: ${formatNumberList(numbers)}.`,
      explanation,
      advice,
    ],
    action: { label: 'Open your history', url: `${sender.publicUrl}/dashboard/history` },
    notes: [`If you have questions about the change, contact ${sender.institution}: ${sender.supportEmail}.`],
  })
}
