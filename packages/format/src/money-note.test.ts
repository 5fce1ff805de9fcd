import { expect, test } from 'vitest'
import { moneyNote } from './money-note.ts'

test.each([
  ['pending', null, false, undefined, undefined],
  ['paid', 'verified', true, undefined, undefined],
  ['paid', 'not_found', false, undefined, undefined],
  ['pending', 'review', false, 'Payment under review', /do not pay again/],
  ['pending', 'refund_due', false, 'Refund due', /does not match the amount due.*new payment/],
  ['paid', 'refund_due', true, 'Refund due', /already paid for/],
  ['paid', 'refund_due', false, 'Refund due', /will be refunded/],
  ['paid', 'refunded', false, 'Refunded', /was refunded/],
  ['failed', 'reversed', false, 'Payment reversed', /no longer valid/],
])(
  'explains a %s payment with the resolution %s, certificate found: %s, as "%s"',
  { tags: ['SPEC-4.15'] },
  (status, resolution, found, title, text) => {
    const note = moneyNote({ status, resolution, found })
    expect(note?.title).toBe(title)
    if (text) expect(note?.text).toMatch(text)
  },
)

test('treats an overpayment as a success with a refund due', () => {
  const payment = { status: 'paid', resolution: 'verified', found: true, excess: true }
  expect(moneyNote(payment)).toMatchObject({
    title: 'Refund due',
    text: expect.stringContaining('The difference will be refunded'),
  })
})
