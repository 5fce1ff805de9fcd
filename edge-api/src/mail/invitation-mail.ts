import type { Role } from '@portal/contract/shapes'
import type { Mail } from '../ports.ts'
import { composeMail, type Recipient, type Sender } from './templates.ts'

const accountTypes: Record<Role, string> = {
  user: 'an account',
  admin: 'an administrator account',
  super_admin: 'a super administrator account',
}

/** Composes the mail that invites a person to choose a password. The link is valid for 3 days. */
export function composeInvitationMail(
  sender: Sender,
  { email, role }: Recipient & { role: Role },
  token: string,
): Mail {
  return composeMail(
    sender,
    { email },
    {
      subject: 'You are invited to the certificate verification portal',
      preview: 'Choose a password within 3 days.',
      heading: 'Choose your password',
      paragraphs: [
        `${sender.institution} created ${accountTypes[role]} for you on its certificate verification portal. Choose a password, then log in with it and this email address.`,
      ],
      action: {
        label: 'Choose a password',
        url: `${sender.publicUrl}/reset-password/${encodeURIComponent(token)}`,
      },
      notes: [
        'This link works once and expires after 3 days. After that, choose "Forgot password" on the login form to get a new link.',
        'If you did not expect this, you can ignore this email: without a password, no one can log in to the account.',
      ],
    },
  )
}
