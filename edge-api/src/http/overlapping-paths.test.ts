import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { keyRoutes } from '@portal/contract/v1'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'

/*
 * Some paths match the same requests: `/admin/certificates/uploads/{id}` and `/admin/certificates/{id}/history`. The
 * specification defines these paths, so the first segment that differs decides: a fixed segment takes precedence over a
 * parameter with a suffix, and that over any other parameter. No ID or code is one of the fixed segments.
 */

type Segments = readonly string[]

const allRoutes: Route[] = Object.values({ ...routes, ...keyRoutes }).flatMap(table => Object.values(table))
const segmentsOf = ({ path }: Route): Segments => path.slice(1).split('/')

/** Returns 2 for a fixed segment, 1 for a parameter with a suffix, and 0 for any other parameter. */
const rank = (segment: string) => (segment.includes('{') ? Number(/\}./.test(segment)) : 2)

/** Returns a segment that both match; undefined if there is none. */
function sharedSegment(a: string, b: string): string | undefined {
  const [wide = '', narrow = ''] = rank(a) < rank(b) ? [a, b] : [b, a]
  const value = narrow.replace(/\{\w+\}/, 'x')
  return rank(wide) === 0 || value === wide.replace(/\{\w+\}/, 'x') ? value : undefined
}

/** Returns a path that both routes match; undefined if there is none. */
function sharedPath(a: Route, b: Route): string | undefined {
  const [left, right] = [segmentsOf(a), segmentsOf(b)]
  if (a.method !== b.method || left.length !== right.length) return undefined
  const path = left.map((segment, index) => sharedSegment(segment, right[index] ?? ''))
  return path.includes(undefined) ? undefined : `/${path.join('/')}`
}

/** Returns the route that is more specific in the first segment in which the two differ. */
function moreSpecific(a: Route, b: Route): Route {
  const [left, right] = [segmentsOf(a), segmentsOf(b)]
  const first = left.findIndex((segment, index) => rank(segment) !== rank(right[index] ?? ''))
  return rank(left[first] ?? '') > rank(right[first] ?? '') ? a : b
}

const overlaps = allRoutes.flatMap((first, index) =>
  allRoutes.slice(index + 1).flatMap(second => {
    const path = sharedPath(first, second)
    return path === undefined ? [] : [{ path, method: first.method, route: moreSpecific(first, second).path }]
  }),
)

const loggedRoutes: unknown[] = []
let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeAll(async () => {
  setup = await openTestSetup()
  app = createApp({
    ...setup.ports,
    log: line => {
      if (line.event === 'request') loggedRoutes.push(line.route)
    },
  })
})
afterAll(() => setup.close())

test('there are no two routes that match exactly the same requests', () => {
  const shapes = allRoutes.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([])
})

test.each(overlaps)('$method $path goes to the route $route', async ({ method, path, route }) => {
  const request = new Request(`http://localhost:8080/api${path}`, { method })
  await app.fetch(request, { peerAddress: '192.0.2.9' })
  expect(loggedRoutes.at(-1)).toBe(route)
})
