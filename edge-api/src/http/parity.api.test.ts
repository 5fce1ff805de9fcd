import { openApi } from '@portal/contract/openapi'
import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { describe, expect, test } from 'vitest'
import { callKey } from '../../../tools/contract/description.ts'
import { readAcceptedBreaks, readReleasedApi } from '../../../tools/contract/released.ts'
import { findMismatches } from '../../../tools/contract/schema.ts'
import type { MakeCall, RouteCases } from '../../test/parity/cases.ts'
import { createMockSystem, createPortalSystem } from '../../test/parity/compared-systems.ts'
import { deriveCases } from '../../test/parity/derived.ts'
import { createFixture, type ParityFixture } from '../../test/parity/fixture.ts'
import { findDifferences } from '../../test/parity/shape.ts'
import { parityTable } from '../../test/parity/table.ts'
import type { ApiResponse } from '../../test/portal.ts'

/*
 * Sends one table of requests to this portal and to the mocks. Statuses, codes, texts, keys and types must be the same,
 * so that a screen built against the mocks works with the API.
 */

const api = createFixture(createPortalSystem())
const mocks = createFixture(createMockSystem())

interface Description {
  paths: Record<string, Record<string, { responses: object }>>
}
const description = openApi('') as unknown as Description

const rows = Object.entries(routes).flatMap(([domain, table]) =>
  Object.entries(table).map(([name, route]: [string, Route]) => ({
    key: `${domain}.${name}`,
    route,
    cases: casesOf(domain, name),
  })),
)

/** Returns the test cases of a route. Its type is wider than the table's, which cannot be indexed by arbitrary names. */
function casesOf(domain: string, name: string): RouteCases {
  const table: Record<string, Record<string, RouteCases>> = parityTable
  const found = table[domain]?.[name]
  if (!found) throw new Error(`No cases for ${domain}.${name}`)
  return found
}

const released = readReleasedApi()
const accepted = readAcceptedBreaks()

/** Returns the schema of a route's response in the released version, unless an incompatible change of it is intended. */
function releasedReplyOf({ method, path }: Route) {
  const key = callKey(method, path)
  return accepted.some(item => item.break.startsWith(`${key}:`)) ? undefined : released.calls[key]?.reply
}

async function send(fixture: ParityFixture, route: Route, makeCall: MakeCall): Promise<ApiResponse> {
  const { path = route.path, ...sent } = await makeCall(fixture)
  return await fixture.send(route.method, path, sent)
}

/**
 * Returns the parts of a response to compare. Of a file, these are its name and the first line, or the parsed first and last
 * progress lines: the number of other lines depends on timing.
 */
function contentOf({ body, headers }: ApiResponse): unknown {
  if (typeof body !== 'string') return body
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const lines = body.trim().split(/\r?\n/)
  if (type === 'application/x-ndjson')
    return { type, first: JSON.parse(lines[0] ?? ''), last: JSON.parse(lines.at(-1) ?? '') }
  return { type, message: type === 'text/csv' ? lines[0]?.replace('\uFEFF', '') : '', file: fileOf(headers) }
}

const fileOf = (headers: Headers) =>
  /filename="(\w*)/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'none'

async function compare(
  route: Route,
  makeCall: MakeCall,
  ignoredFields: readonly string[] = [],
): Promise<ApiResponse> {
  const apiReply = await send(api, route, makeCall)
  const mockReply = await send(mocks, route, makeCall)
  const statusAndContent = (response: ApiResponse) => ({
    answered: response.status,
    ...Object(contentOf(response)),
  })
  const found = findDifferences(statusAndContent(apiReply), statusAndContent(mockReply), ignoredFields)
  expect(found.join('\n'), 'the API | the mocks').toBe('')
  expect(documentedStatuses(route), 'the statuses in the API description').toContain(String(apiReply.status))
  return apiReply
}

function documentedStatuses({ method, path }: Route): string[] {
  const operation = description.paths[path]?.[method.toLowerCase()]
  return Object.keys(operation?.responses ?? {})
}

test.each([
  ['GET', '/no/such/route'],
  ['PUT', '/auth/login'],
  ['POST', '/letters/ZZZZZZZZZZZZ.pdf'],
])('the API and the mocks refuse %s %s in the same way', async (method, path) => {
  const [apiReply, mockReply] = [await api.send(method, path), await mocks.send(method, path)]
  expect(mockReply.status).toBe(apiReply.status)
  expect(findDifferences(apiReply.body, mockReply.body)).toEqual([])
})

describe.each(rows)(
  '$key has the same response',
  { tags: ['QUALITY-14', 'SPEC-3.5'] },
  ({ route, cases }) => {
    const succeeding = { ...(cases.succeeds && { 'in the usual case': cases.succeeds }), ...cases.also }
    test.each(Object.entries(succeeding))('%s', async (_, makeCall) => {
      const response = await compare(route, makeCall, cases.ignoredFields)
      expect(response.status).toBe(route.status ?? 200)
      if (typeof response.body !== 'string') expect(route.reply.parse(response.body)).toEqual(response.body)
      // The response must also conform to the released version, which may lack later additions to the contract.
      const reply = releasedReplyOf(route)
      if (reply && typeof response.body !== 'string') expect(findMismatches(reply, response.body)).toEqual([])
    })

    test.each(Object.entries(cases.refuses ?? {}))('if refused: %s', async (_, makeCall) => {
      expect((await compare(route, makeCall)).status).toBeGreaterThanOrEqual(400)
    })

    test.each(Object.entries(deriveCases(route)))('if refused: %s', async (_, makeCall) => {
      await compare(route, makeCall, cases.ignoredFields)
    })
  },
)
