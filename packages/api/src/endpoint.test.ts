import type { Reply } from '@portal/contract/route'
import type { verification } from '@portal/contract/verification'
import { expect, expectTypeOf, test } from 'vitest'
import { call } from './call.ts'
import { endpoint } from './endpoint.ts'

const settings = endpoint<typeof verification.settings>('GET', '/verification/settings')

test('an endpoint has only a method and a path at run time', () => {
  expect(settings).toEqual({ method: 'GET', path: '/verification/settings' })
  expectTypeOf(settings).toHaveProperty('method')
  expectTypeOf(settings).not.toHaveProperty('reply')
  expectTypeOf(settings).not.toHaveProperty('access')
})

test('a call of an endpoint returns the reply type of its route', () => {
  const read = () => call(settings)
  expectTypeOf(read).returns.resolves.toEqualTypeOf<Reply<typeof verification.settings>>()
})
