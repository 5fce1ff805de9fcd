import {
  demoOrganisation,
  demoOrganisationBatch,
  demoOrganisationVerifications,
  demoPurpose,
} from '@portal/fixtures/organisations'
import { personas } from '@portal/fixtures/personas'
import { addBatch, buildItems, runBatch } from './organisation-batches.ts'
import { addDemoAccess } from './organisation-demo-access.ts'
import { webhooksOf } from './organisation-event-log.ts'
import { organisationsIn } from './organisation-state.ts'
import { verifyNumber } from './organisation-verifications.ts'
import { isUnprintable } from './payments.ts'
import type { MockState } from './state.ts'

const DAY_MS = 86_400_000

const sortNewestFirst = <T>(rows: T[], timeOf: (row: T) => string) =>
  rows.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : timeOf(a) > timeOf(b) ? -1 : 0))

/** Adds the verifications of the demo organisation: 40 single ones and a batch. */
export function addDemoWork(state: MockState, now: Date): void {
  const organisation = organisationsIn(state).find(item => item.name === demoOrganisation.name)
  if (!organisation) throw new Error('the demo has no organisation')
  const verified = new Set(state.payments.map(payment => payment.certificate_number))
  const numbers = state.certificates
    .map(item => item.certificate_number)
    .filter(number => !verified.has(number) && !isUnprintable(state, number))
  const batchAt = new Date(now.getTime() - demoOrganisationBatch.daysAgo * DAY_MS)
  for (const { certificateNumber: number, reference, requester, at } of demoOrganisationVerifications(
    numbers,
    now.getTime(),
  ))
    verifyNumber(state, organisation, {
      number,
      reference,
      purpose: demoPurpose,
      source: 'portal',
      batch_id: null,
      requested_by: requester.id,
      now: new Date(at),
    })
  const items = buildItems(state, organisation, demoOrganisationBatch.certificateNumbers(numbers))
  const order = { name: demoOrganisationBatch.name, purpose: demoPurpose, items }
  const batchOrder = { ...order, requested_by: personas.recruiter.id, now: batchAt }
  runBatch(state, organisation, addBatch(state, organisation, batchOrder), batchAt)

  sortNewestFirst(webhooksOf(organisation).events, item => item.created_at)
  addDemoAccess(organisation, now)

  // Sort again, because the entries above were not added in order of time.
  sortNewestFirst(organisation.verifications, item => item.created_at)
  sortNewestFirst(organisation.activity, item => item.at)
  sortNewestFirst(organisation.movements, item => item.at)
  sortNewestFirst(state.payments, item => item.initiated_at)
  let balance = 0
  for (const movement of organisation.movements.toReversed()) {
    balance += movement.amount_minor
    movement.balance_after_minor = balance
  }
}
