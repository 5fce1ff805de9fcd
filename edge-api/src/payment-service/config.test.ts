import { describe, expect, it } from 'vitest'
import { readSettings } from './config.ts'

const minimalVariables = { PAYMENT_WEBHOOK_SECRET: 'a-secret-of-some-length' }

describe('settings', () => {
  it('have URLs with the configured ports by default', () => {
    expect(
      readSettings({ ...minimalVariables, PORT: '9000', PAYMENT_PORT: '9001', PUBLIC_URL: '' }),
    ).toMatchObject({
      host: '127.0.0.1',
      port: 9001,
      databaseUrl: 'file:.data/payments.db',
      paymentUrl: 'http://localhost:9001',
      publicUrl: 'http://localhost:9000',
      webhookUrl: 'http://127.0.0.1:9000/api/payments/webhooks/sandbox',
      controlToken: undefined,
      clockOffsetSeconds: 0,
    })
  })

  it.each([
    ['::1', '[::1]', '[::1]'],
    ['127.0.0.2', '127.0.0.2', '127.0.0.2'],
    ['0.0.0.0', 'localhost', '127.0.0.1'],
    ['::', 'localhost', '127.0.0.1'],
  ])(
    'when listening on %s, have URLs at which the service and the portal can be reached',
    (HOST, publicHost, internalHost) => {
      expect(readSettings({ ...minimalVariables, HOST })).toMatchObject({
        paymentUrl: `http://${publicHost}:8081`,
        publicUrl: `http://${publicHost}:8080`,
        webhookUrl: `http://${internalHost}:8080/api/payments/webhooks/sandbox`,
      })
    },
  )

  it.each([
    ['0.0.0.0', 'http://192.168.1.5:8080', 'http://192.168.1.5:8081'],
    ['::', 'http://[fd00::2]:8080', 'http://[fd00::2]:8081'],
    ['0.0.0.0', 'https://verify.example.org', 'http://localhost:8081'],
    ['127.0.0.1', 'http://verify.example.org', 'http://localhost:8081'],
  ])(
    'when listening on %s, with a portal at %s, give %s as the service’s address',
    (HOST, PUBLIC_URL, paymentUrl) => {
      expect(readSettings({ ...minimalVariables, HOST, PUBLIC_URL }).paymentUrl).toBe(paymentUrl)
    },
  )

  it.each([
    ['PAYMENT_PORT', 'eighty'],
    ['PAYMENT_PORT', '70000'],
    ['PORT', '0'],
    ['PUBLIC_URL', 'localhost:8080'],
    ['PAYMENT_URL', 'ftp://localhost'],
    ['PAYMENT_DATABASE_URL', 'payments.db'],
    ['PAYMENT_WEBHOOK_SECRET', ''],
    ['CLOCK_OFFSET_SECONDS', '1.5'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'production'],
  ])('refuse %s=%s, with the name and an example', (name, value) => {
    expect(() => readSettings({ ...minimalVariables, [name]: value })).toThrow(
      new RegExp(`^${name} is [^\\n]+\\. Example: ${name}=[^\\n]+$`),
    )
  })

  it('accept a URL without its trailing slash', () => {
    expect(readSettings({ ...minimalVariables, PAYMENT_URL: 'https://pay.test/' }).paymentUrl).toBe(
      'https://pay.test',
    )
  })
})
