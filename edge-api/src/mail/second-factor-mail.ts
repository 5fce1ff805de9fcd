import type { Mail } from '../ports.ts'
import { compose, type Recipient, type Sender } from './templates.ts'

const words = {
  set_up: {
    subject: 'An authenticator app was set up',
    says: 'An authenticator app was set up for your account just now. From now on each log-in asks for a code of it.',
  },
  removed: {
    subject: 'Your authenticator app was removed',
    says: 'The authenticator app of your account was removed just now. Only your password protects it now.',
  },
  reset: {
    subject: 'Your authenticator app was reset',
    says: 'A super administrator took the authenticator app off your account, and it was logged out everywhere. Only your password protects it until you set one up again.',
  },
} as const

/** What every change of the second factor tells the account's owner, who may not have been the one who made it. */
export function secondFactorMail(sender: Sender, to: Recipient, change: keyof typeof words): Mail {
  const { subject, says } = words[change]
  return compose(sender, to, {
    subject,
    preview: 'If this was not you, act now.',
    heading: subject,
    paragraphs: [
      says,
      `If it was not you, change your password at once and write to ${sender.supportEmail}.`,
    ],
    action: { label: 'Go to the portal', url: `${sender.publicUrl}/` },
    notes: [],
  })
}
