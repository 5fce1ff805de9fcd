import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { createHandlers } from './handlers.ts'
import { respond } from './respond.ts'
import { createState, memoryStore } from './state.ts'

const handlers = createHandlers(memoryStore(createState()))
const paths = Object.values(routes).flatMap(table =>
  Object.values(table).map(({ method, path }: Route) => [method, path.replace(/\{\w+\}/g, 'some.thing-1')]),
)

test.each([
  ...paths,
  ['PATCH', '/auth/login'],
  ['GET', '/health/'],
  ['GET', '/HEALTH'],
  ['GET', '/health?x=%2F'],
  ['GET', '/no/such/route'],
  ['GET', '/admin/users/%2F'],
])('answers %s %s as MSW does', async (method, path) => {
  const request = () => new Request(`http://mocks.test/api${path}`, { method })
  const [response, mswResponse] = [await respond(handlers, request()), await getResponse(handlers, request())]
  // The rest of the response contains the request ID, which differs.
  const statusAndCode = async (response: Response | undefined) => [
    response?.status,
    /"code":"\w+"/.exec((await response?.text()) ?? '')?.[0],
  ]
  expect(await statusAndCode(response)).toEqual(await statusAndCode(mswResponse))
})

test('returns undefined if no handler answers', async () => {
  expect(await respond(handlers, new Request('http://mocks.test/elsewhere'))).toBeUndefined()
})
