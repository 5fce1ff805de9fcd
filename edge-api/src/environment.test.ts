import { describe, expect, test } from 'vitest'
import { EnvironmentError, readEnvironment } from './environment.ts'

const secrets = {
  JWT_SECRET: 'a'.repeat(40),
  PAYMENT_WEBHOOK_SECRET: 'b'.repeat(20),
  LETTER_SIGNING_KEY: '{}',
}

function problems(raw: Record<string, string>): string {
  try {
    readEnvironment(raw)
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message
  }
  throw new Error('was accepted')
}

describe('readEnvironment', () => {
  test('has a default for everything but secrets', () => {
    expect(readEnvironment(secrets)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      PUBLIC_URL: 'http://localhost:8080',
      PAYMENT_URL: 'http://localhost:8081',
      DATABASE_URL: 'file:.data/portal.db',
      SEED: 'demo',
      TRUST_PROXY: 0,
    })
  })

  test('takes an empty value for none, and several secrets of which the first signs', () => {
    const environment = readEnvironment({ ...secrets, PORT: '', JWT_SECRET: 'one, two' })
    expect(environment.PORT).toBe(8080)
    expect(environment.JWT_SECRETS).toEqual(['one', 'two'])
  })

  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'postgres://localhost'],
    ['MAIL_URL', 'mail.example.org'],
    ['PUBLIC_URL', 'verify.example.org'],
    ['PAYMENT_PROVIDER', 'cash'],
    ['RATE_LIMIT_SCALE', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('stops at %s=%s, naming it, the reason and an example', (name, value) => {
    const message = problems({ ...secrets, [name]: value })
    expect(message).toMatch(new RegExp(`^${name}: "${value}" .+ Example: ${name}=`))
  })

  test('refuses in production whatever is only for trying out, all in one message', () => {
    const message = problems({
      NODE_ENV: 'production',
      JWT_SECRET: 'short',
      CLOCK_OFFSET_SECONDS: '1',
      PAYMENT_CONTROL_TOKEN: 't',
    })
    for (const name of [
      'PAYMENT_PROVIDER',
      'SEED',
      'SUPER_ADMIN_PASSWORD',
      'MAIL_URL',
      'PAYMENT_CONTROL_TOKEN',
      'CLOCK_OFFSET_SECONDS',
      'JWT_SECRET',
      'PAYMENT_WEBHOOK_SECRET',
      'LETTER_SIGNING_KEY',
    ]) {
      expect(message).toMatch(new RegExp(`^${name}: .+ Example: ${name}`, 'm'))
    }
  })
})
