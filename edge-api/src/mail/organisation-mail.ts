import type { MemberRole } from '@portal/contract/organisation-shapes'
import { counted } from '@portal/format/counted'
import { formatMinor } from '@portal/format/money'
import type { Mail } from '../ports.ts'
import { composeMail, type Recipient, type Sender } from './templates.ts'

const organisationUrl = (sender: Sender, id: string, path = '') =>
  `${sender.publicUrl}/dashboard/organisations/${encodeURIComponent(id)}${path}`

interface NamedOrganisation {
  id: string
  name: string
}

const roleNames: Record<MemberRole, string> = {
  owner: 'an owner',
  manager: 'a manager',
  member: 'a member',
  finance: 'a finance member',
}

/** Composes the mail that invites a person to join an organisation. The link is valid for 7 days. */
export function composeOrganisationInvitationMail(
  sender: Sender,
  email: string,
  { organisation, role, token }: { organisation: NamedOrganisation; role: MemberRole; token: string },
): Mail {
  return composeMail(
    sender,
    { email },
    {
      subject: `Invitation to join ${organisation.name}`,
      preview: 'Accept within 7 days.',
      heading: `Join ${organisation.name}`,
      paragraphs: [
        `You are invited to join ${organisation.name} as ${roleNames[role]} on the certificate verification portal of ${sender.institution}.`,
        'You need an account with this email address; you can create it after you open the invitation.',
      ],
      action: {
        label: 'Open invitation',
        url: `${sender.publicUrl}/invitations/${encodeURIComponent(token)}`,
      },
      notes: [
        'This link works once and expires after 7 days.',
        'If you did not expect this invitation, you can ignore this email.',
      ],
    },
  )
}

/** Composes the mail that notifies owners that someone has accepted an invitation to their organisation. */
export const composeMemberJoinedMail = (
  sender: Sender,
  to: Recipient,
  { organisation, name, role }: { organisation: NamedOrganisation; name: string; role: MemberRole },
): Mail =>
  composeMail(sender, to, {
    subject: `${name} has joined ${organisation.name}`,
    preview: `${name} accepted the invitation.`,
    heading: 'New member',
    paragraphs: [`${name} has joined ${organisation.name} as ${roleNames[role]}.`],
    action: { label: 'Open members', url: organisationUrl(sender, organisation.id, '/members') },
    notes: ['If you do not know this person, remove them under Members.'],
  })

/** Composes the mail that notifies a person that their membership of an organisation was ended. */
export const composeMemberRemovedMail = (
  sender: Sender,
  to: Recipient,
  { organisation }: { organisation: NamedOrganisation },
): Mail =>
  composeMail(sender, to, {
    subject: `You are no longer a member of ${organisation.name}`,
    preview: 'Your membership has ended.',
    heading: 'Your membership has ended',
    paragraphs: [
      `You were removed from ${organisation.name}. Its verifications and letters are no longer available to you. Your own account is not affected.`,
    ],
    notes: ['If you think this is a mistake, contact an owner of the organisation.'],
  })

/** Composes the mail that notifies owners, managers and finance members that money was added to the balance. */
export const composeBalanceCreditedMail = (
  sender: Sender,
  to: Recipient,
  {
    organisation,
    minor,
    balanceMinor,
  }: { organisation: NamedOrganisation; minor: number; balanceMinor: number },
): Mail =>
  composeMail(sender, to, {
    subject: `${formatMinor(minor)} was credited to ${organisation.name}`,
    preview: `The balance is now ${formatMinor(balanceMinor)}.`,
    heading: 'Balance credited',
    paragraphs: [
      `${formatMinor(minor)} was credited to the balance of ${organisation.name}. The balance is now ${formatMinor(balanceMinor)}.`,
    ],
    action: { label: 'Open billing', url: organisationUrl(sender, organisation.id, '/billing') },
    notes: [],
  })

/** Composes the mail that notifies owners, managers and finance members that the balance has fallen below the threshold. */
export const composeLowBalanceMail = (
  sender: Sender,
  to: Recipient,
  {
    organisation,
    availableMinor,
    alertMinor,
  }: { organisation: NamedOrganisation; availableMinor: number; alertMinor: number },
): Mail =>
  composeMail(sender, to, {
    subject: `The balance of ${organisation.name} is low`,
    preview: `${formatMinor(availableMinor)} is available.`,
    heading: 'Low balance',
    paragraphs: [
      `The available balance of ${organisation.name} is ${formatMinor(availableMinor)}, which is below your alert threshold of ${formatMinor(alertMinor)}. Top up the balance so that verifications can continue.`,
    ],
    action: { label: 'Top up', url: organisationUrl(sender, organisation.id, '/billing') },
    notes: ["You can change the threshold in the organisation's settings."],
  })

/** Composes the mail that notifies owners and managers that staff suspended or resumed the organisation. */
export const composeOrganisationStateMail = (
  sender: Sender,
  to: Recipient,
  {
    organisation,
    state,
    reason,
  }: { organisation: NamedOrganisation; state: 'suspended' | 'active'; reason: string | null },
): Mail => {
  const isSuspended = state === 'suspended'
  const subject = `${organisation.name} ${isSuspended ? 'was suspended' : 'is active again'}`
  return composeMail(sender, to, {
    subject,
    preview: isSuspended ? 'Verifications are paused.' : 'Verifications can continue.',
    heading: subject,
    paragraphs: [
      ...(isSuspended
        ? [
            `${sender.institution} suspended ${organisation.name}. Members can still view the organisation's verifications and letters; new verifications and running batches are paused.`,
            ...(reason ? [`Reason: ${reason}`] : []),
          ]
        : [`${sender.institution} lifted the suspension of ${organisation.name}. Paused batches continue.`]),
    ],
    action: { label: 'Open organisation', url: organisationUrl(sender, organisation.id) },
    notes: [`If you have questions, contact ${sender.institution}: ${sender.supportEmail}.`],
  })
}

/** Composes the mail that notifies the member who started a batch that it is complete. */
export const composeBatchCompletedMail = (
  sender: Sender,
  to: Recipient,
  {
    organisation,
    batch,
    counts,
  }: {
    organisation: NamedOrganisation
    batch: { id: string; name: string | null; total: number }
    counts: { verified: number; not_found: number; already_paid: number }
  },
): Mail =>
  composeMail(sender, to, {
    subject: batch.name ? `Batch "${batch.name}" is complete` : 'Your batch is complete',
    preview: `${counts.verified} of ${counted(batch.total, 'certificate')} verified.`,
    heading: 'Batch complete',
    paragraphs: [
      `The batch of ${counted(batch.total, 'certificate number')} for ${organisation.name} is complete: ${counts.verified} verified, ${counts.already_paid} already paid, ${counts.not_found} not found.`,
    ],
    action: {
      label: 'Open batch',
      url: organisationUrl(sender, organisation.id, `/batches/${encodeURIComponent(batch.id)}`),
    },
    notes: [],
  })

interface NamedKey {
  name: string
  mode: 'live' | 'test'
  prefix: string
  last4: string
}

/** Describes a key in the same way as the list of keys: `"Payroll" (live, cv_live_7Fh2…x9Kq)`. */
const describeKey = ({ name, mode, prefix, last4 }: NamedKey) => `"${name}" (${mode}, ${prefix}…${last4})`

/** Composes the mail that notifies owners and managers that someone has created a key. */
export const composeKeyCreatedMail = (
  sender: Sender,
  to: Recipient,
  { organisation, key, creator }: { organisation: NamedOrganisation; key: NamedKey; creator: string },
): Mail =>
  composeMail(sender, to, {
    subject: `New API key for ${organisation.name}`,
    preview: `${creator} created the key "${key.name}".`,
    heading: 'API key created',
    paragraphs: [`${creator} created the API key ${describeKey(key)} for ${organisation.name}.`],
    action: { label: 'Open API keys', url: organisationUrl(sender, organisation.id, '/developers') },
    notes: ['If no one in your organisation needs this key, revoke it.'],
  })

/** Composes the mail that notifies owners and managers that a key will expire soon. */
export const composeKeyExpiresMail = (
  sender: Sender,
  to: Recipient,
  { organisation, key, expiresOn }: { organisation: NamedOrganisation; key: NamedKey; expiresOn: string },
): Mail =>
  composeMail(sender, to, {
    subject: `An API key for ${organisation.name} expires on ${expiresOn}`,
    preview: `"${key.name}" stops working on ${expiresOn}.`,
    heading: 'API key expires soon',
    paragraphs: [
      `The API key ${describeKey(key)} for ${organisation.name} expires on ${expiresOn}. Calls that use it will then be rejected. Rotate it so that your systems keep working.`,
    ],
    action: { label: 'Open API keys', url: organisationUrl(sender, organisation.id, '/developers') },
    notes: ['After a rotation, the old key keeps working for as many hours as you choose.'],
  })
