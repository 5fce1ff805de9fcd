import { formatLongDate } from '@portal/format/dates'
import type { Mail } from '../ports.ts'
import { composeMail, type Recipient, type Sender } from './templates.ts'

const profileUrl = (sender: Sender) => `${sender.publicUrl}/dashboard/profile`

/** Composes the mail that announces the erasure of an account to its owner, in case someone else requested it. */
export function composeErasureRequestedMail(
  sender: Sender,
  to: Recipient,
  { dueAt, byStaff }: { dueAt: number; byStaff: boolean },
): Mail {
  const day = formatLongDate(dueAt)
  return composeMail(sender, to, {
    subject: `Your account will be erased on ${day}`,
    preview: `You can cancel the erasure until ${day}.`,
    heading: `Your account will be erased on ${day}`,
    paragraphs: [
      byStaff
        ? 'You wrote to us and asked for your data to be erased.'
        : 'You asked for your account to be erased.',
      `On ${day}, your name, your addresses, your phone number and everything else that identifies you will be permanently deleted. Letters that you have shared will stay valid, but will no longer name you as the recipient. Your payments will stay in our books, without your name.`,
      `Until ${day}, you can download your data and your letters, or cancel the erasure, under Profile Settings.`,
    ],
    action: { label: 'Open profile settings', url: profileUrl(sender) },
    notes: [
      `If you did not ask for this, choose "Keep my account" under Profile Settings, change your password, and write to ${sender.supportEmail}.`,
    ],
  })
}

/** Composes the mail that notifies the owner of an account that its erasure was cancelled. */
export function composeErasureCancelledMail(sender: Sender, to: Recipient): Mail {
  return composeMail(sender, to, {
    subject: 'Your account will not be erased',
    preview: 'The erasure was cancelled.',
    heading: 'Your account will not be erased',
    paragraphs: ['The erasure of your account was cancelled. Your account and your data are unchanged.'],
    notes: [`If you still want your account to be erased, write to ${sender.supportEmail}.`],
  })
}

/** Composes the mail that confirms to the former owner that the account was erased. It is the last mail about the account. */
export function composeErasedMail(sender: Sender, to: Recipient): Mail {
  return composeMail(sender, to, {
    subject: 'Your account was erased',
    preview: 'Your personal data was deleted.',
    heading: 'Your account was erased',
    paragraphs: [
      'Your account was erased, as you asked. We must keep records of payments and letters, but they no longer identify you. Existing backups that still contain your data will be deleted within a few weeks.',
    ],
    notes: ['This is our last email about this account. You can register again at any time.'],
  })
}
