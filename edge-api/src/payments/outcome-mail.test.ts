import { expect, test } from 'vitest'
import type { ItemOutcome } from '../db/schema/payment-states.ts'
import { formatNumberList } from '../number-list.ts'
import { composeOutcomeMail } from './outcome-mail.ts'

const sender = {
  institution: 'Test University',
  supportEmail: 'help@portal.test',
  publicUrl: 'https://portal.test',
}
const payer = { firstname: 'Ada', lastname: 'Obi', email: 'ada@portal.test' }

function buildMail(outcomes: readonly ItemOutcome[], resolution: ItemOutcome) {
  const numbers = outcomes.map((_, index) => `UG/2019/${String(index).padStart(5, '0')}`)
  const { subject, text } = composeOutcomeMail(sender, payer, {
    transactionId: 'CVF0123456789ABCDEFGHJKM',
    reference: 'R1',
    purpose: 'verification',
    organisationId: null,
    numbers,
    outcomes,
    receivedMinor: 500_000 * numbers.length,
    currency: 'NGN',
    resolution,
  })
  return { subject, text }
}

test('the mail names the certificate if there is only one', () => {
  const { subject, text } = buildMail(['verified'], 'verified')
  expect(subject).toBe('Your verification is complete')
  expect(text).toContain('Certificate: UG/2019/00000.')
  expect(text).toContain('The certificate was found in our records')
  expect(buildMail(['refund_due'], 'refund_due').subject).toBe('Your payment will be refunded')
})

test('the mail lists the outcomes of several certificates', () => {
  const { text } = buildMail(['verified', 'not_found', 'refund_due', 'verified'], 'verified')
  expect(text).toContain('2 of 4 certificates were found in our records')
  expect(text).toContain('1 was not found.')
  expect(text).toContain('1 could not be verified; the amount you paid for it will be refunded.')
  expect(buildMail(['verified', 'verified'], 'verified').text).toContain('2 of 2 certificates were found')
  expect(buildMail(['verified', 'not_found'], 'verified').text).toContain(
    '1 of 2 certificates was found in our records; its',
  )
  expect(buildMail(['not_found', 'refund_due'], 'refund_due').text).toContain(
    'None of the 2 certificates could be verified.',
  )
  expect(buildMail(['not_found', 'not_found'], 'not_found').subject).toContain('not found')
})

test('the mail truncates a long list, and states how many more there are', () => {
  const numbers = Array.from({ length: 500 }, (_, index) => String(index))
  expect(formatNumberList(numbers, 2)).toBe('0, 1 and 498 more')
  expect(formatNumberList(['a', 'b', 'c'], 2)).toBe('a, b, c')
  expect(buildMail(Array<ItemOutcome>(500).fill('verified'), 'verified').text).toContain('and 480 more')
})

test('the mail states the tax and the payment fee that the amount includes', () => {
  const { text } = composeOutcomeMail(sender, payer, {
    transactionId: 'CVF0123456789ABCDEFGHJKM',
    reference: 'R1',
    purpose: 'verification',
    organisationId: null,
    numbers: ['UG/2019/00001'],
    receivedMinor: 510_283,
    passedOnMinor: 10_283,
    currency: 'NGN',
    tax: { name: 'VAT', basis_points: 750, amount: 348.84 },
    resolution: 'verified',
  })
  expect(text.replaceAll('\n', ' ')).toContain(
    'Amount paid: ₦5,102.83, including VAT 7.5% of ₦348.84 and a payment fee of ₦102.83.',
  )
})

test('the mail about a top-up mentions the balance and links to the billing page of the organisation', () => {
  const { text } = composeOutcomeMail(sender, payer, {
    transactionId: 'CVF0123456789ABCDEFGHJKM',
    reference: 'R1',
    purpose: 'topup',
    organisationId: 'org_1',
    numbers: ['Top-up of Kolanut Staffing Limited'],
    receivedMinor: 999_999,
    currency: 'NGN',
    resolution: 'mismatched',
  })
  expect(text).toContain('Top-up of Kolanut Staffing Limited.')
  expect(text).toContain('not credited to the balance')
  expect(text).toContain('https://portal.test/dashboard/organisations/org_1/billing')
  expect(text).not.toMatch(/Certificate:|start the verification|history/)
})
