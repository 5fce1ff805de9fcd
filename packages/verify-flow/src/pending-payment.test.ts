import { expect, test } from 'vitest'
import type { OpenPayment } from './flow.ts'
import { forgetPayment, latestPayment, savePayment } from './pending-payment.ts'

function memoryStorage(): Storage {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: index => [...items.keys()][index] ?? null,
    getItem: key => items.get(key) ?? null,
    setItem: (key, value) => {
      items.set(key, value)
    },
    removeItem: key => {
      items.delete(key)
    },
    clear: () => items.clear(),
  }
}

const payment = (transactionId: string): OpenPayment => ({
  transactionId,
  certificateNumber: 'UG/2019/00123',
  paymentReference: 'R1',
  amount: 5000,
  currency: 'NGN',
  expiresAt: null,
  certificateKnown: true,
})

test('the latest open payment of the user is found again', () => {
  const storage = memoryStorage()
  savePayment(storage, 'ada', payment('CVF1'), 1000)
  savePayment(storage, 'ada', payment('CVF2'), 3000)
  savePayment(storage, 'ada', payment('CVF3'), 2000)
  savePayment(storage, 'obi', payment('CVF4'), 4000)
  expect(latestPayment(storage, 'ada', 5000)).toEqual(payment('CVF2'))
  forgetPayment(storage, 'ada', 'CVF2')
  expect(latestPayment(storage, 'ada', 5000)?.transactionId).toBe('CVF3')
  expect(latestPayment(storage, 'nobody', 5000)).toBeNull()
})

test('old and broken entries are cleared away, foreign ones left alone', () => {
  const storage = memoryStorage()
  savePayment(storage, 'ada', payment('CVF1'), 0)
  storage.setItem('portal.payment:ada:CVF2', '{"transactionId":')
  storage.setItem('portal.payment:ada:CVF3', '{"transactionId":"CVF3"}')
  storage.setItem('token', 'x')
  expect(latestPayment(storage, 'ada', 2 * 24 * 60 * 60 * 1000)).toBeNull()
  expect(storage.length).toBe(1)
  expect(storage.getItem('token')).toBe('x')
})

test('a storage that refuses is no error', () => {
  const refuse = () => {
    throw new Error('SecurityError')
  }
  const storage: Storage = {
    get length(): number {
      throw new Error('SecurityError')
    },
    key: refuse,
    getItem: refuse,
    setItem: refuse,
    removeItem: refuse,
    clear: refuse,
  }
  savePayment(storage, 'ada', payment('CVF1'))
  forgetPayment(storage, 'ada', 'CVF1')
  expect(latestPayment(storage, 'ada')).toBeNull()
})
