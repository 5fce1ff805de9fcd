import type { Mail } from '../ports.ts'
import { composeMail, type Recipient, type Sender } from './templates.ts'

const texts = {
  set_up: {
    subject: 'An authenticator app was set up',
    text: 'An authenticator app was just set up for your account. From now on, you need a code from the app each time you log in.',
  },
  removed: {
    subject: 'Your authenticator app was removed',
    text: 'The authenticator app was just removed from your account. Now only your password protects the account.',
  },
  reset: {
    subject: 'Your authenticator app was reset',
    text: 'A super admin removed the authenticator app from your account, and you have been logged out on all devices. Until you set up an authenticator app again, only your password protects the account.',
  },
} as const

/** Composes the mail that notifies an account's owner of a change of the second factor, in case someone else made it. */
export function composeSecondFactorMail(sender: Sender, to: Recipient, change: keyof typeof texts): Mail {
  const { subject, text } = texts[change]
  return composeMail(sender, to, {
    subject,
    preview: 'If this was not you, act now.',
    heading: subject,
    paragraphs: [
      text,
      `If this was not you, change your password immediately and write to ${sender.supportEmail}.`,
    ],
    action: { label: 'Go to the portal', url: `${sender.publicUrl}/` },
    notes: [],
  })
}
