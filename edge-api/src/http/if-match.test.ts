import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPortal } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'

/* Tests every call that, according to the contract, changes a record with a version. */

const allRoutes: [name: string, route: Route][] = Object.entries(routes).flatMap(([domain, table]) =>
  Object.entries(table as Record<string, Route>).map(([name, route]): [string, Route] => [
    `${domain}.${name}`,
    route,
  ]),
)
const versioned = allRoutes.filter(([, { ifMatch }]) => ifMatch)

let setup: TestSetup
let portal: Awaited<ReturnType<typeof openTestPortal>>
let token: string
beforeAll(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  token = (await portal.account('super_admin')).token
})
afterAll(() => setup.close())

const pathOf = ({ path }: Route) => path.replace('{kind}', 'stamp').replace(/\{\w+\}/g, 'unknown')

test('every route that changes and returns a record with a version accepts If-Match', () => {
  const withoutIfMatch = allRoutes.filter(
    ([, { method, record, ifMatch, status }]) =>
      method !== 'GET' && record !== undefined && status !== 201 && !ifMatch,
  )
  expect(withoutIfMatch.map(([name]) => name)).toEqual([])
  expect(versioned.length).toBeGreaterThan(15)
})

test.each(versioned)(
  '%s refuses a malformed If-Match header before any other check',
  {
    tags: ['REGISTER-4'],
  },
  async (_, route) => {
    for (const header of ['1', '"1', 'version 1', '"1" "2"', '*, "1"', "'1'", 'w/"1"'])
      expect([
        header,
        await portal.call(route.method, pathOf(route), token, undefined, { 'if-match': header }),
      ]).toMatchObject([
        header,
        { status: 400, body: { code: 'VALIDATION_ERROR', fields: { 'If-Match': expect.any(String) } } },
      ])
  },
)
