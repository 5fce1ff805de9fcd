import { expect, it } from 'vitest'
import { mailHref, telephoneHref } from './contact-link.ts'

it('keeps only the digits and a leading plus of a phone number', () => {
  expect(telephoneHref('+234 (0)803-000 0001')).toBe('tel:+23408030000001')
  expect(telephoneHref('0803 000 0001')).toBe('tel:08030000001')
})

it('encodes the subject of an email', () => {
  expect(mailHref('a@b.test', 'Payment CVF1 & more')).toBe(
    'mailto:a@b.test?subject=Payment%20CVF1%20%26%20more',
  )
})
