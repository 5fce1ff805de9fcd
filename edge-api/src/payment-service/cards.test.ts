import { describe, expect, it } from 'vitest'
import { checkCard, groupDigits, passesLuhnCheck, testCards } from './cards.ts'

const now = new Date('2026-11-20T12:00:00Z')
const validCard = { number: '5060 9900 0000 0000 019', expiry: '12/27', cvv: '123' }

describe('cards', () => {
  it('lists only card numbers with a valid check digit', () => {
    expect(testCards.filter(card => !passesLuhnCheck(card.number))).toEqual([])
    expect(passesLuhnCheck('5060990000000000018')).toBe(false)
  })

  it('accepts spaces and dashes, and the usual notations of an expiry date', () => {
    for (const expiry of ['12/27', '12 / 27', '1227', '12-27', '12/2027', ' 1/27 ']) {
      expect(checkCard({ ...validCard, expiry }, now)).toMatchObject({
        ok: true,
        first6: '506099',
        last4: '0019',
      })
    }
    expect(checkCard({ ...validCard, number: '5060-9900-0000-0000-019' }, now).ok).toBe(true)
  })

  it.each([
    ['number', { number: '' }, 'Enter the card number'],
    ['number', { number: '1234' }, 'Check the card number'],
    ['number', { number: '5060990000000000018' }, 'Check the card number'],
    ['number', { number: '4084084084084081' }, 'This is a test gateway: use one of the test cards'],
    ['expiry', { expiry: '' }, 'Enter the expiry date'],
    ['expiry', { expiry: '13/27' }, 'Enter the expiry date as MM/YY'],
    ['expiry', { expiry: 'soon' }, 'Enter the expiry date as MM/YY'],
    ['expiry', { expiry: '10/26' }, 'This card has expired'],
    ['cvv', { cvv: '' }, 'Enter the security code'],
    ['cvv', { cvv: '12' }, 'The security code has 3 or 4 digits'],
  ])('refuses a wrong %s such as %j', (field, change, message) => {
    expect(checkCard({ ...validCard, ...change }, now)).toMatchObject({
      ok: false,
      errors: { [field]: message },
    })
  })

  it('a card is valid until the end of its month', () => {
    expect(checkCard({ ...validCard, expiry: '11/26' }, new Date('2026-11-30T23:59:00Z')).ok).toBe(true)
    expect(checkCard({ ...validCard, expiry: '11/26' }, new Date('2026-12-02T00:00:00Z')).ok).toBe(false)
  })

  it('shows a number again only if it is a public test number', () => {
    expect(checkCard({ ...validCard, cvv: '' }, now)).toMatchObject({ keepNumber: true })
    expect(checkCard({ ...validCard, number: '4084084084084081' }, now)).toMatchObject({ keepNumber: false })
  })

  it('groups the digits of a number by four', () => {
    expect(groupDigits('5060990000000000019')).toBe('5060 9900 0000 0000 019')
  })
})
