import { formatLongDate } from '@portal/format/dates'
import type { Mail } from '../ports.ts'
import { compose, type Recipient, type Sender } from './templates.ts'

const profileUrl = (sender: Sender) => `${sender.publicUrl}/dashboard/profile`

/** The account will be erased: its owner may not have been the one who asked. */
export function erasureAskedMail(
  sender: Sender,
  to: Recipient,
  { dueAt, byStaff }: { dueAt: number; byStaff: boolean },
): Mail {
  const day = formatLongDate(dueAt)
  return compose(sender, to, {
    subject: `Your account will be erased on ${day}`,
    preview: 'Until then you can keep it.',
    heading: `Your account will be erased on ${day}`,
    paragraphs: [
      byStaff
        ? 'You wrote to us and asked for your data to be erased.'
        : 'You asked for your account to be erased.',
      'Your name, your addresses, your phone number and everything else that identifies you will then be deleted, and no one can restore it. Letters that you passed on stay valid, without you as their addressee. Amounts paid stay in our books, without your name.',
      'Until then you can download your data, and your letters, under Profile Settings.',
    ],
    action: { label: 'Download my data, or keep my account', url: profileUrl(sender) },
    notes: [
      `If you did not ask for this, choose "Keep my account" there, change your password, and write to ${sender.supportEmail}.`,
    ],
  })
}

/** The account stays after all. */
export function erasureTakenBackMail(sender: Sender, to: Recipient): Mail {
  return compose(sender, to, {
    subject: 'Your account stays',
    preview: 'It will not be erased.',
    heading: 'Your account stays',
    paragraphs: ['Your account will not be erased. Everything is as it was.'],
    notes: [`If you still want it to be erased, write to ${sender.supportEmail}.`],
  })
}

/** The last mail that an account gets. */
export function erasedMail(sender: Sender, to: Recipient): Mail {
  return compose(sender, to, {
    subject: 'Your account was erased',
    preview: 'Nothing personal is left of it.',
    heading: 'Your account was erased',
    paragraphs: [
      'As you asked, your account was erased. What we must keep of payments and of letters no longer says who you are. Copies of our database that were made before are removed within some weeks.',
    ],
    notes: ['This is the last mail about this account. You are welcome to register again at any time.'],
  })
}
