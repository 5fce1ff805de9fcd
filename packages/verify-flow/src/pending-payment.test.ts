import { expect, test } from 'vitest'
import type { OpenPayment } from './open-payment.ts'
import { forgetPayment, latestPayment, savePayment } from './pending-payment.ts'

function createMemoryStorage(): Storage {
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

const makePayment = (transactionId: string): OpenPayment => ({
  transactionId,
  certificateNumber: 'UG/2019/00123',
  paymentReference: 'R1',
  amount: 5000,
  currency: 'NGN',
  expiresAt: null,
  certificateKnown: true,
})

test('finds the user’s latest open payment', () => {
  const storage = createMemoryStorage()
  savePayment('ada', makePayment('CVF1'), storage, 1000)
  savePayment('ada', makePayment('CVF2'), storage, 3000)
  savePayment('ada', makePayment('CVF3'), storage, 2000)
  savePayment('obi', makePayment('CVF4'), storage, 4000)
  expect(latestPayment('ada', storage, 5000)).toEqual(makePayment('CVF2'))
  forgetPayment('ada', 'CVF2', storage)
  expect(latestPayment('ada', storage, 5000)?.transactionId).toBe('CVF3')
  expect(latestPayment('nobody', storage, 5000)).toBeNull()
})

test('removes old and invalid entries of the user, and nothing else', () => {
  const storage = createMemoryStorage()
  savePayment('ada', makePayment('CVF1'), storage, 0)
  storage.setItem('portal.payment:ada:CVF2', '{"transactionId":')
  storage.setItem('portal.payment:ada:CVF3', '{"transactionId":"CVF3"}')
  storage.setItem('token', 'x')
  expect(latestPayment('ada', storage, 2 * 24 * 60 * 60 * 1000)).toBeNull()
  expect(storage.length).toBe(1)
  expect(storage.getItem('token')).toBe('x')
})

test('works without storage, in which case it finds no payment', () => {
  const throwSecurityError = () => {
    throw new Error('SecurityError')
  }
  const storage: Storage = {
    get length(): number {
      throw new Error('SecurityError')
    },
    key: throwSecurityError,
    getItem: throwSecurityError,
    setItem: throwSecurityError,
    removeItem: throwSecurityError,
    clear: throwSecurityError,
  }
  savePayment('ada', makePayment('CVF1'), storage)
  forgetPayment('ada', 'CVF1', storage)
  expect(latestPayment('ada', storage)).toBeNull()
})
