import { describe, expect, test } from 'vitest'
import type { Outcome, Requery } from '../payment-gateway.ts'
import { requestKey } from './refund-rules.ts'
import {
  bookExcess,
  bookGatewayFee,
  bookMismatch,
  bookReceipt,
  computePassedOnFee,
  type ExpectedPayment,
  interpretAnswer,
  outcomeOfItem,
  resolutionOf,
} from './rules.ts'

const expected: ExpectedPayment = {
  reference: 'CV1',
  amount: { minor: 500_000, currency: 'NGN' },
  mode: 'live',
  expiresAt: 1000,
  state: 'pending',
  notFoundAnswers: 0,
}
const response = (outcome: Outcome, overrides: Partial<Requery> = {}): Requery => ({
  outcome,
  reference: 'CV1',
  mode: 'live',
  raw: '',
  ...overrides,
})
const successOf = (minor: number, currency = 'NGN') =>
  response('succeeded', { amountPaid: { minor, currency } })

test.each([
  ['the published example', 40_333, 30_050, 10_283, 10_283],
  ['an amount rounded down by a kobo', 40_332, 30_050, 10_283, 10_282],
  ['an amount rounded up by a kobo', 40_334, 30_050, 10_283, 10_284],
  ['a fee that the institution bears', 500_000, 500_000, 10_283, 0],
  ['an overpayment of a kobo', 500_001, 500_000, 10_283, 0],
  ['an overpayment above the fee', 510_285, 500_000, 10_283, 0],
  ['an overpayment without a fee', 500_001, 500_000, 0, 0],
  ['less than the amount due', 400_000, 500_000, 10_283, 0],
  ['no requested amount', 510_283, undefined, 10_283, 0],
  ['no fee', 510_283, 500_000, undefined, 0],
])(
  'computes the part of the fee that the payer bears, with %s',
  (_, minor, requestedMinor, feeMinor, passedOnMinor) => {
    expect(
      computePassedOnFee({
        ...successOf(minor),
        ...(requestedMinor !== undefined && { requestedMinor }),
        ...(feeMinor !== undefined && { feeMinor }),
      }),
    ).toBe(passedOnMinor)
  },
)

test('a fee is recorded against the account of the gateway, and nothing is recorded without a fee', () => {
  expect(bookGatewayFee(7600)).toEqual([
    { account: 'fees', minor: 7600, reason: 'gateway fee' },
    { account: 'gateway_clearing', minor: -7600, reason: 'gateway fee' },
  ])
  expect(bookGatewayFee(0)).toEqual([])
})

describe('interpretAnswer', () => {
  test.each<[string, Requery, string | undefined]>([
    ['exactly the amount', successOf(500_000), 'money_matches'],
    ['one kobo over', successOf(500_001), 'money_matches'],
    ['one kobo under', successOf(499_999), 'money_differs'],
    [
      'the fee on top of the amount due',
      { ...successOf(510_283), requestedMinor: 500_000, feeMinor: 10_283 },
      'money_matches',
    ],
    [
      'too little, with a fee that makes up the difference',
      { ...successOf(500_000), requestedMinor: 489_717, feeMinor: 10_283 },
      'money_differs',
    ],
    ['nothing at all', successOf(0), 'money_differs'],
    ['another currency', successOf(500_000, 'USD'), 'money_differs'],
    ['the test mode on a live payment', { ...successOf(500_000), mode: 'test' }, 'money_differs'],
    ['no amount', response('succeeded'), undefined],
    ['another reference', { ...successOf(500_000), reference: 'CV2' }, undefined],
    ['a decline', response('failed'), 'declined'],
    ['a cancellation', response('cancelled'), 'cancelled'],
    ['in progress', response('processing'), 'in_progress'],
    ['expired', response('expired'), 'closed_late'],
    ['reversed', response('reversed'), 'reversed'],
    ['an unknown status', response('unknown'), undefined],
    ['pending before the deadline', response('pending'), undefined],
    ['not found before the deadline', response('not_found'), undefined],
  ])('interprets a response: %s', (_, requery, fact) => {
    expect(interpretAnswer(requery, expected, 999)).toBe(fact)
  })

  test.each([
    ['pending', 'lapsed'],
    ['not_found', 'lapsed'],
    ['processing', 'in_progress'],
    ['unknown', 'lapsed'],
    ['reversed', 'lapsed'],
  ] as const)('after the deadline, interprets %s as %s', (outcome, fact) => {
    expect(interpretAnswer(response(outcome), expected, 1000)).toBe(fact)
  })

  test.each(['pending', 'not_found', 'unknown', 'reversed'] as const)(
    'a payment in progress is closed as late once its deadline has passed and the gateway reports "%s"',
    outcome => {
      expect(interpretAnswer(response(outcome), { ...expected, state: 'processing' }, 1000)).toBe(
        'closed_late',
      )
    },
  )

  test('an attempt without a response ends early after two "not found" answers, but never after one', () => {
    const attempt = { ...expected, state: 'unknown' as const }
    expect(interpretAnswer(response('not_found'), { ...attempt, notFoundAnswers: 1 }, 5000)).toBeUndefined()
    expect(interpretAnswer(response('not_found'), { ...attempt, notFoundAnswers: 2 }, 5)).toBe('lapsed')
    expect(interpretAnswer(response('pending'), { ...attempt, notFoundAnswers: 2 }, 5)).toBeUndefined()
  })
})

test.each([
  [{ isFound: true, policy: 'free', isDuplicate: false }, { outcome: 'verified' }],
  [{ isFound: true, policy: 'charge', isDuplicate: false }, { outcome: 'verified' }],
  [{ isFound: false, policy: 'charge', isDuplicate: false }, { outcome: 'not_found' }],
  [
    { isFound: false, policy: 'free', isDuplicate: false },
    { outcome: 'refund_due', reason: 'certificate_vanished' },
  ],
  [
    { isFound: true, policy: 'free', isDuplicate: true },
    { outcome: 'refund_due', reason: 'duplicate' },
  ],
  [
    { isFound: false, policy: 'charge', isDuplicate: true },
    { outcome: 'refund_due', reason: 'duplicate' },
  ],
  [
    { isFound: true, isPrintable: false, policy: 'free', isDuplicate: false },
    { outcome: 'refund_due', reason: 'letter_not_printable' },
  ],
  [{ isFound: false, isPrintable: false, policy: 'charge', isDuplicate: false }, { outcome: 'not_found' }],
] as const)('an item with %o has the outcome %o', (item, expectedOutcome) => {
  expect(outcomeOfItem({ isPrintable: true, ...item })).toEqual(expectedOutcome)
})

const sum = (rows: readonly { minor: number }[]) => rows.reduce((total, { minor }) => total + minor, 0)

describe('the ledger', () => {
  const outcomes = [
    { outcome: 'verified' },
    { outcome: 'not_found' },
    { outcome: 'refund_due', reason: 'duplicate' },
    { outcome: 'refund_due', reason: 'certificate_vanished' },
  ] as const

  test('adds up to zero for any receipt and outcome, with refunds never above the receipt', {
    tags: ['INVARIANT-1', 'INVARIANT-4'],
  }, () => {
    for (let combination = 0; combination < 64; combination++) {
      const items = [combination & 3, (combination >> 2) & 3, (combination >> 4) & 3].map(
        (outcome, position) => ({
          id: `item-${position}`,
          minor: 100 + position,
          ...(outcomes[outcome] ?? outcomes[0]),
        }),
      )
      for (const excess of [0, 1, 9999]) {
        const received = sum(items) + excess
        const { refunds, entries } = bookReceipt(received, items)
        expect(sum(entries)).toBe(0)
        expect(sum(refunds)).toBeLessThanOrEqual(received)
        const chargedItems = items.filter(item => item.outcome !== 'refund_due')
        expect(sum(refunds)).toBe(received - sum(chargedItems))
        expect(new Set(refunds.map(({ key }) => key)).size).toBe(refunds.length)
      }
    }
  })

  test('splits a receipt into revenue and refunds, each with a reason and a key', () => {
    const { refunds, entries } = bookReceipt(601, [
      { id: 'a', minor: 100, outcome: 'verified' },
      { id: 'b', minor: 200, outcome: 'not_found' },
      { id: 'c', minor: 300, outcome: 'refund_due', reason: 'duplicate' },
    ])
    expect(refunds).toEqual([
      { reason: 'duplicate', minor: 300, key: 'c' },
      { reason: 'over_payment', minor: 1, key: 'over_payment' },
    ])
    expect(entries).toEqual([
      { account: 'gateway_clearing', minor: 601, reason: 'payment received' },
      { account: 'revenue', minor: -100, reason: 'verified' },
      { account: 'revenue', minor: -200, reason: 'not_found' },
      { account: 'refund_payable', minor: -300, reason: 'duplicate' },
      { account: 'refund_payable', minor: -1, reason: 'over_payment' },
    ])
  })

  test('owes nothing for a free item', () => {
    const free = { id: 'a', minor: 0, outcome: 'refund_due', reason: 'certificate_vanished' } as const
    expect(bookReceipt(0, [free])).toEqual({ refunds: [], entries: [] })
  })

  test('books a mismatch as an unapplied receipt, all of which is due as a refund', () => {
    const { refunds, entries } = bookMismatch(777)
    expect(refunds).toEqual([{ reason: 'mismatch', minor: 777, key: 'mismatch' }])
    expect(entries).toEqual([
      { account: 'gateway_clearing', minor: 777, reason: 'payment received' },
      { account: 'unapplied_receipts', minor: -777, reason: 'payment received' },
      { account: 'unapplied_receipts', minor: 777, reason: 'mismatch' },
      { account: 'refund_payable', minor: -777, reason: 'mismatch' },
    ])
    expect(bookMismatch(0)).toEqual({ refunds: [], entries: [] })
  })

  test('refunds a later receipt for the same reason, under a key that differs from the keys of repeated orders', () => {
    const keyOf = (reason: string) => requestKey({ idempotencyKey: reason, attempts: 3 })
    const mismatch = bookExcess({ isApplied: false, excessMinor: 2, totalMinor: 3 })
    expect(mismatch.entries).toEqual(bookMismatch(2).entries)
    expect(mismatch.refunds).toEqual([{ reason: 'mismatch', minor: 2, key: 'mismatch@3' }])
    expect(mismatch.refunds[0]?.key).not.toBe(keyOf('mismatch'))
    expect(bookExcess({ isApplied: true, excessMinor: 2, totalMinor: 3 })).toEqual({
      refunds: [{ reason: 'over_payment', minor: 2, key: 'over_payment@3' }],
      entries: [
        { account: 'gateway_clearing', minor: 2, reason: 'payment received' },
        { account: 'refund_payable', minor: -2, reason: 'over_payment' },
      ],
    })
  })

  test('has no entry for a free payment', () => {
    const free = { id: 'a', minor: 0, outcome: 'verified' as const }
    expect(bookReceipt(0, [free])).toEqual({ refunds: [], entries: [] })
  })
})

test('a payment counts as verified if one of its items is verified', () => {
  expect(resolutionOf(['refund_due', 'verified'])).toBe('verified')
  expect(resolutionOf(['not_found', 'refund_due'])).toBe('refund_due')
  expect(resolutionOf(['not_found'])).toBe('not_found')
})
