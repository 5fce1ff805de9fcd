import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeCertificate } from './certificate.ts'

test.each([
  ['2026-11-22', '2051'],
  ['2020-01-01', '2044'],
])('a certificate made on %s is in date until %s, whichever way that year is written', async (made, year) => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const at = Date.parse(made)
  const der = await makeCertificate({ ...pair, institution: 'Ìmọ́lẹ̀ University', at })
  const certificate = new X509Certificate(der)
  expect(Date.parse(certificate.validFrom)).toBeLessThan(at)
  expect(new Date(certificate.validTo).getUTCFullYear()).toBe(Number(year))
})
