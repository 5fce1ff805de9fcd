import { expect, test } from 'vitest'
import { createTestPorts } from '../../test/temporary-database.ts'
import { dataHeadersOf } from './security-headers.ts'

test.each([
  ['http://localhost:8081', 'http://localhost:8081'],
  ['https://checkout.paystack.com', 'https://checkout.paystack.com'],
  // Browsers ignore a source with an IPv6 address and would block a payment page there, so the source is a wildcard.
  ['http://[::1]:8081', 'http://*:8081'],
])('the policy lets a form post to a payment page at %s with the source %s', (origin, source) => {
  const environment = { ...createTestPorts().environment, paymentOrigins: [origin] }
  const policy = dataHeadersOf(environment, '/health')['Content-Security-Policy']
  expect(policy).toContain(`; form-action 'self' ${source};`)
})
