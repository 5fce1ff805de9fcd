import type { LetterLink } from '@portal/contract/letter'
import { compose, type Recipient, type Sender } from '../mail/templates.ts'
import { numbersInWords } from '../numbers-in-words.ts'
import type { Mail } from '../ports.ts'

interface Words {
  subject: string
  says: string
  todo: string
}

const ofOne: Record<LetterLink['status'], Words> = {
  withdrawn: {
    subject: 'Your verification letter was withdrawn',
    says:
      'The institution has withdrawn the certificate that your verification letter is about, so the letter is no ' +
      'longer valid. Its check page shows that from now on.',
    todo: 'Please do not rely on the letter any more, and let those know to whom you gave it.',
  },
  superseded: {
    subject: 'Your verification letter was superseded',
    says:
      'The record that your verification letter is about was corrected after the letter was issued, so the letter no ' +
      'longer says what is on record. Its check page shows that from now on.',
    todo: 'Your history has the corrected letter for you, free of charge. Please use that one from now on.',
  },
  valid: {
    subject: 'Your verification letter is valid again',
    says:
      'The record that your verification letter is about is again as the letter says. It is valid as it was ' +
      'issued, and its check page shows that.',
    todo: 'Nothing is needed from you.',
  },
}

const ofMany: Record<LetterLink['status'], Words> = {
  withdrawn: {
    subject: 'Some of your verification letters were withdrawn',
    says:
      'The institution has withdrawn the certificates that these verification letters are about, so the letters are ' +
      'no longer valid. Their check pages show that from now on.',
    todo: 'Please do not rely on the letters any more, and let those know to whom you gave them.',
  },
  superseded: {
    subject: 'Some of your verification letters were superseded',
    says:
      'The records that these verification letters are about were corrected after the letters were issued, so they no ' +
      'longer say what is on record. Their check pages show that from now on.',
    todo: 'Your history has the corrected letters for you, free of charge. Please use those from now on.',
  },
  valid: {
    subject: 'Some of your verification letters are valid again',
    says:
      'The records that these verification letters are about are again as the letters say. They are valid as they ' +
      'were issued, and their check pages show that.',
    todo: 'Nothing is needed from you.',
  },
}

/** Notifies a holder of the new status of letters. Nothing of the certificates but their numbers. */
export function statusMail(
  sender: Sender,
  to: Recipient,
  { numbers, status }: { numbers: readonly string[]; status: LetterLink['status'] },
): Mail {
  const { subject, says, todo } = (numbers.length === 1 ? ofOne : ofMany)[status]
  return compose(sender, to, {
    subject,
    preview: numbersInWords(numbers, 3),
    heading: subject,
    paragraphs: [
      `${numbers.length === 1 ? 'Certificate' : 'Certificates'}: ${numbersInWords(numbers)}.`,
      says,
      todo,
    ],
    action: { label: 'Open your history', url: `${sender.publicUrl}/dashboard/history` },
    notes: [`Questions about the change are answered by ${sender.institution}: ${sender.supportEmail}.`],
  })
}
