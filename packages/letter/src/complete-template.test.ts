import type { VerificationTemplate } from '@portal/contract/letter'
import { expect, test } from 'vitest'
import { templateIfComplete } from './complete-template.ts'

const template: VerificationTemplate = {
  header: { institution: 'Plain University', address: 'PMB 1', ref_number: 'R/1', date: 'January 31, 2026' },
  recipient: { company: 'Acme', address: [] },
  subject: 'VERIFICATION',
  content: {
    opening: 'We refer to your request.',
    certificate_details: { sn: '1', name: 'N', degree: 'D', class: 'C', date: '2019' },
    closing: 'Unchanged.',
    thanks: 'Thank you.',
  },
  signature: { name: 'R', title: 'T', for: '', email: '', signature_image: null, stamp_image: null },
  assets: { logo: null },
}

test('returns a complete template, also one without images', () => {
  expect(templateIfComplete(template)).toBe(template)
  const { assets: _, ...templateWithoutAssets } = template
  expect(templateIfComplete(templateWithoutAssets as VerificationTemplate)).toBe(templateWithoutAssets)
})

test.each([
  [null],
  [undefined],
  [{}],
  [{ ...template, header: undefined }],
  [{ ...template, recipient: { company: 'Acme' } }],
  [{ ...template, content: { opening: 'We' } }],
  [{ ...template, signature: null }],
])('returns null for an incomplete template: case %#', incomplete => {
  expect(templateIfComplete(incomplete as VerificationTemplate | null)).toBeNull()
})
