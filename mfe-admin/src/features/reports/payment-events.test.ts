import type { TransactionEvent } from '@portal/contract/transactions'
import { expect, test } from 'vitest'
import { currencyOf, describeEvent, isUnmatchedReceipt } from './payment-events.ts'

const makeEvent = (type: string, amount: number | null): TransactionEvent => ({
  id: 1,
  type,
  from_status: null,
  to_status: null,
  source: 'webhook',
  amount,
  code: '00',
  at: '2026-03-02T10:00:00.000Z',
})
const byGateway = 'by the gateway’s callback'

test('formats amounts in the payment’s currency, which is naira by default', () => {
  const describePaidEvent = (currency: string) =>
    describeEvent(makeEvent('paid', 5000), { currency, amount_paid: 5000 }, false).join(' · ')
  expect(describePaidEvent('USD')).toBe(`${byGateway} · $5,000.00 · code 00`)
  // An older API sends null for naira.
  expect(describePaidEvent(null as unknown as string)).toBe(`${byGateway} · ₦5,000.00 · code 00`)
  expect(currencyOf(undefined)).toBeUndefined()
})

test('handles a missing or null amount', () => {
  const row = { currency: 'NGN', amount_paid: null }
  expect(describeEvent(makeEvent('pending', null), row, false)).toEqual([byGateway, 'code 00'])
  const { amount: _, ...olderEvent } = makeEvent('pending', null)
  expect(describeEvent(olderEvent as TransactionEvent, row, false)).toEqual([byGateway, 'code 00'])
})

test('shows money in another currency without the naira sign, but the amount due with it', () => {
  const row = { currency: 'NGN', amount_paid: null }
  const events = [makeEvent('mismatched', 5000), makeEvent('created', 5000)]
  expect(isUnmatchedReceipt(events, row)).toBe(true)
  expect(events.map(item => describeEvent(item, row, true)[1])).toEqual([
    '5,000.00 in another currency or mode',
    '₦5,000.00',
  ])
})

test('does not treat an underpayment in the payment’s currency as an unmatched receipt', () => {
  expect(isUnmatchedReceipt([makeEvent('mismatched', 100)], { currency: 'NGN', amount_paid: 100 })).toBe(
    false,
  )
  expect(isUnmatchedReceipt([makeEvent('paid', 100)], { currency: 'NGN', amount_paid: null })).toBe(false)
})
