import { DEFAULT_ACCENT } from '@portal/format/colour'
import type { Mail } from '../ports.ts'

/*
 * Every mail as text and as HTML. Tables and inline styles are used for layout, because mail clients support neither style
 * sheets nor flexbox. All values are escaped, and the text of each link is its address.
 */

/** The institution that is named at the top and bottom of each mail, from the settings. */
export interface Sender {
  institution: string
  supportEmail: string
  /** `PUBLIC_URL`, without a trailing slash. */
  publicUrl: string
  /** A shade of the institution's colour on which white text is readable; dark green by default. */
  accent?: string
}

export interface Recipient {
  email: string
  /** Omitted if a stranger may have chosen it, because a name can contain a message. */
  firstname?: string
}

/** Removes the recipient's name, for mails that anyone can have sent to any address. */
const withoutName = ({ email }: Recipient): Recipient => ({ email })

export interface Content {
  subject: string
  /** Preview text that mail clients show next to the subject. */
  preview: string
  heading: string
  paragraphs: string[]
  action?: { label: string; url: string }
  /** Notes in smaller type, below the action. */
  notes: string[]
}

/** Why an address must be confirmed: its owner registered, staff created the account, or staff changed the address. */
export type ConfirmReason = 'registered' | 'created-by-staff' | 'address-changed'

const confirmTexts: Record<ConfirmReason, { text: (sender: Sender) => string; otherwise: string }> = {
  registered: {
    text: () =>
      'Thank you for creating an account. Please confirm that this address is yours. You can then log in and verify certificates.',
    otherwise:
      'If you did not create an account, you can ignore this email: without confirmation, no one can log in with your address.',
  },
  'created-by-staff': {
    text: ({ institution }) =>
      `${institution} created an account for you on its certificate verification portal. Please confirm that this address is yours. Then log in with the password you were given, and choose your own under Profile Settings. If you were not given a password, choose "Forgot password" on the login form.`,
    otherwise:
      'If you did not expect this, you can ignore this email: without confirmation, no one can log in with your address.',
  },
  'address-changed': {
    text: () =>
      'The email address of your account was changed to this one. Please confirm that this address is yours. No one can log in to the account until you do.',
    otherwise:
      'If this is not your account, do not confirm: someone may have mistyped an address. You can ignore this email.',
  },
}

/** Composes the mail that asks the owner of an address to confirm it. The link is valid for 24 hours. */
export function composeVerifyAddressMail(
  sender: Sender,
  to: Recipient,
  token: string,
  reason: ConfirmReason = 'registered',
): Mail {
  const { text, otherwise } = confirmTexts[reason]
  return composeMail(sender, withoutName(to), {
    subject: 'Confirm your email address',
    preview: 'One click and your account is ready.',
    heading: 'Confirm your email address',
    paragraphs: [text(sender)],
    action: { label: 'Confirm email address', url: verifyUrl(sender, token) },
    notes: ['This link works once and expires after 24 hours.', otherwise],
  })
}

/** Composes the mail to the previous address of an account after a change. It shows only part of the new address. */
export function composeAddressChangedMail(sender: Sender, to: Recipient, newEmail: string): Mail {
  return composeMail(sender, to, {
    subject: 'Your email address was changed',
    preview: 'If you did not ask for this, write to us.',
    heading: 'Your email address was changed',
    paragraphs: [
      `Our staff changed the email address of your account to ${maskEmail(newEmail)}. You can no longer log in with your old address, and you have been logged out on all devices.`,
      `If you did not ask for this, write to ${sender.supportEmail} immediately.`,
    ],
    notes: [],
  })
}

/** Masks an address as `z…@company.test`, so that only someone who knows the address can recognise it. */
const maskEmail = (email: string) => email.replace(/^(.).*(?=@)/, '$1…')

/**
 * Composes the mail that notifies the owner of an address that someone tried to register it again. That person does not learn
 * that it was registered before.
 * @param token of a new verification link, if the address was never confirmed
 */
export function composeAlreadyRegisteredMail(sender: Sender, to: Recipient, token: string | undefined): Mail {
  const forgottenNote = 'If you forgot your password, choose "Forgot password" on the login form.'
  return composeMail(sender, withoutName(to), {
    subject: 'You already have an account',
    preview: 'Someone tried to register with your email address.',
    heading: 'You already have an account',
    paragraphs: [
      'Someone, probably you, tried to create an account with this email address. You already have an account, and it has not been changed.',
      token === undefined
        ? forgottenNote
        : `You have not confirmed your email address yet; you can do so now. ${forgottenNote}`,
    ],
    action:
      token === undefined
        ? { label: 'Go to the portal', url: `${sender.publicUrl}/` }
        : { label: 'Confirm email address', url: verifyUrl(sender, token) },
    notes: [
      ...(token === undefined ? [] : ['This link works once and expires after 24 hours.']),
      token === undefined
        ? "If this was not you, you don't need to do anything."
        : 'If you did not create this account, do not confirm: someone else set its password. You can ignore this email, or choose "Forgot password" to set your own password and use the account.',
    ],
  })
}

/** Composes the mail with a link for choosing a new password, which is valid for 1 hour. */
export function composeResetPasswordMail(sender: Sender, to: Recipient, token: string): Mail {
  return composeMail(sender, withoutName(to), {
    subject: 'Reset your password',
    preview: 'Choose a new password within one hour.',
    heading: 'Reset your password',
    paragraphs: [
      'Someone asked to reset the password for your account. If it was you, choose a new password now.',
    ],
    action: {
      label: 'Choose a new password',
      url: `${sender.publicUrl}/reset-password/${encodeURIComponent(token)}`,
    },
    notes: [
      'This link works once and expires after one hour.',
      'If this was not you, you can ignore this email: your password stays the same.',
    ],
  })
}

/** Composes the mail that notifies an account's owner that the password was changed, in case someone else changed it. */
export function composePasswordChangedMail(sender: Sender, to: Recipient): Mail {
  return composeMail(sender, to, {
    subject: 'Your password was changed',
    preview: 'If this was not you, act now.',
    heading: 'Your password was changed',
    paragraphs: [
      'The password for your account was just changed, and you have been logged out on all other devices.',
      `If this was not you, choose "Forgot password" on the login form immediately and write to ${sender.supportEmail}.`,
    ],
    action: { label: 'Go to the portal', url: `${sender.publicUrl}/` },
    notes: [],
  })
}

const verifyUrl = (sender: Sender, token: string) =>
  `${sender.publicUrl}/verify-email/${encodeURIComponent(token)}`

/** Composes a mail from its parts, as text and as HTML. All values are escaped. */
export function composeMail(sender: Sender, to: Recipient, content: Content): Mail {
  return {
    to: to.email,
    subject: content.subject,
    text: renderText(sender, to, content),
    html: renderHtml(sender, to, content),
  }
}

function renderText(sender: Sender, to: Recipient, { paragraphs, action, notes }: Content): string {
  return [
    greeting(to),
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...notes,
    `${toOneLine(sender.institution)}\nCertificate verification: ${sender.publicUrl}/\nQuestions: ${sender.supportEmail}`,
  ].join('\n\n')
}

const greeting = ({ firstname }: Recipient) => (firstname ? `Hello ${toOneLine(firstname)},` : 'Hello,')

/** Replaces line breaks and other whitespace, because a name must not be able to add lines to a mail. */
const toOneLine = (value: string) => value.replace(/\s+/g, ' ').trim()

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (value: string) =>
  toOneLine(value).replace(/[&<>"']/g, character => entities[character] ?? character)

const SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const SERIF = "font-family:Georgia,'Times New Roman',serif"
const INK = '#16241f'
const MUTED = '#51615a'
function renderHtml(sender: Sender, to: Recipient, content: Content): string {
  const accent = sender.accent ?? DEFAULT_ACCENT
  const paragraph = (text: string, style: string) =>
    `<p style="margin:0 0 16px;${SANS};${style}">${escapeHtml(text)}</p>`
  const body = `font-size:16px;line-height:1.55;color:${INK}`
  const small = `font-size:14px;line-height:1.5;color:${MUTED}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
<title>${escapeHtml(content.subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f3f6f4">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(content.preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f6f4">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #d8e0db;border-top:4px solid ${accent}">
<tr><td style="padding:28px 32px 0;${SANS};font-size:14px;font-weight:600;color:${accent}">${escapeHtml(sender.institution)}</td></tr>
<tr><td style="padding:8px 32px 0"><h1 style="margin:0 0 20px;${SERIF};font-size:26px;line-height:1.2;font-weight:600;color:${INK}">${escapeHtml(content.heading)}</h1>
${paragraph(greeting(to), body)}
${content.paragraphs.map(text => paragraph(text, body)).join('\n')}
</td></tr>
${content.action ? renderButton(content.action, accent) : ''}
<tr><td style="padding:8px 32px 16px">
${content.notes.map(text => paragraph(text, small)).join('\n')}
</td></tr>
<tr><td style="padding:16px 32px 24px;border-top:1px solid #d8e0db;${SANS};font-size:13px;line-height:1.5;color:${MUTED}">Certificate verification: <a href="${escapeHtml(sender.publicUrl)}/" style="color:${accent}">${escapeHtml(sender.publicUrl)}</a><br>Questions: <a href="mailto:${escapeHtml(sender.supportEmail)}" style="color:${accent}">${escapeHtml(sender.supportEmail)}</a></td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function renderButton({ label, url }: { label: string; url: string }, accent: string): string {
  const href = escapeHtml(url)
  return `<tr><td style="padding:4px 32px 20px">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="${accent}" style="border-radius:5px;background:${accent}"><a href="${href}" style="display:inline-block;padding:12px 24px;${SANS};font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p style="margin:16px 0 0;${SANS};font-size:13px;line-height:1.5;color:${MUTED};word-break:break-all">If the button does not work, open this address:<br><a href="${href}" style="color:${accent}">${href}</a></p>
</td></tr>`
}
