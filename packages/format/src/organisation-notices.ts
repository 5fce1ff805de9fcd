import { counted } from './counted.ts'
import { formatMinor } from './money.ts'
import type { Notice } from './notices.ts'

/* Notices about organisations. */

export const organisationInvitationNotice = (name: string): Notice<'organisation_invitation'> => ({
  kind: 'organisation_invitation',
  title: 'Invitation to an organisation',
  body: `You are invited to join ${name}.`,
})

const stateWords = {
  suspended: (name: string) => `${name} was suspended. Verifications and batches are paused.`,
  active: (name: string) => `${name} is active again.`,
  closed: (name: string) => `${name} was closed.`,
  vetted: (name: string) => `${name} was vetted by the institution.`,
}

export const organisationStateNotice = (
  name: string,
  state: keyof typeof stateWords,
): Notice<'organisation_state'> => ({
  kind: 'organisation_state',
  title: 'Organisation updated',
  body: stateWords[state](name),
})

export const balanceCreditedNotice = (name: string, minor: number): Notice<'balance_credited'> => ({
  kind: 'balance_credited',
  title: 'Balance credited',
  body: `${formatMinor(minor)} was credited to the balance of ${name}.`,
})

export const chargebackNotice = (name: string, minor: number): Notice<'balance_low'> => ({
  kind: 'balance_low',
  title: 'Top-up reversed',
  body: `${formatMinor(minor)} of a top-up of ${name} was charged back by the bank and deducted from its balance.`,
})

export const balanceLowNotice = (name: string, availableMinor: number): Notice<'balance_low'> => ({
  kind: 'balance_low',
  title: 'Low balance',
  body: `${formatMinor(availableMinor)} is available to ${name}.`,
})

export const batchCompletedNotice = (
  batchName: string | null,
  { verified, total }: { verified: number; total: number },
): Notice<'batch_completed'> => ({
  kind: 'batch_completed',
  title: 'Batch complete',
  body: `${batchName ?? 'Your batch'}: ${verified} of ${counted(total, 'certificate')} verified.`,
})

export const webhookDisabledNotice = (name: string, host: string): Notice<'webhook_disabled'> => ({
  kind: 'webhook_disabled',
  title: 'Webhook endpoint disabled',
  body: `The endpoint at ${host} of ${name} does not accept events, so it was disabled.`,
})
