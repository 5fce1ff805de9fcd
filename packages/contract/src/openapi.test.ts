import { expect, test } from 'vitest'
import type { ErrorCode } from './errors.ts'
import { keyErrors } from './key-errors.ts'
import { openApi } from './openapi.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { keyRoutes } from './v1.ts'

interface Operation {
  summary: string
  parameters: { name: string }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<
    string,
    { headers: object; content: Record<string, { examples?: Record<string, { $ref: string }> }> }
  >
  'x-codeSamples': { lang: string; source: string }[]
}
interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { examples: Record<string, { value: { code: string } }> }
}

const description = openApi('https://verify.test') as unknown as Description
const operations: [name: string, route: Route, operation: Operation][] = Object.entries({
  ...keyRoutes,
  ...routes,
}).flatMap(([domain, table]) =>
  Object.entries(table as Record<string, Route>).map(([name, route]): [string, Route, Operation] => {
    const operation = description.paths[route.path]?.[route.method.toLowerCase()]
    if (!operation) throw new Error(`${route.method} ${route.path} is missing`)
    return [`${domain}.${name}`, route, operation]
  }),
)

test('every request example is valid for its route', () => {
  const invalidExamples = operations.flatMap(([name, route, operation]) => {
    const body = route.body?.safeParse(operation.requestBody?.content['application/json']?.example)
    return body && !body.success ? [`${name}: ${body.error.message}`] : []
  })
  expect(invalidExamples).toEqual([])
})

test('every error response has examples, each with the code that it is named after', () => {
  for (const [name, , { responses }] of operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      const examples = Object.keys(content['application/json']?.examples ?? {})
      expect({ name, status, examples: examples.length > 0 }).toEqual({ name, status, examples: true })
      for (const code of examples) expect(description.components.examples[code]?.value.code).toBe(code)
    }
  }
})

test('every error that a call with an API key can return has a documented cause and remedy', () => {
  const codes = operations
    .filter(([, { access }]) => access === 'key')
    .flatMap(([, , { responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Number(status) < 400 ? [] : Object.keys(content['application/json']?.examples ?? {}),
      ),
    )
  expect(codes.length).toBeGreaterThan(0)
  for (const code of new Set(codes)) {
    const help = keyErrors[code as ErrorCode]
    expect([code, Boolean(help?.cause), Boolean(help?.remedy)]).toEqual([code, true, true])
  }
})

test('every summary is a title without a full stop, and every code sample calls its route in TypeScript', () => {
  for (const [name, route, { summary, 'x-codeSamples': samples }] of operations) {
    expect(summary, name).not.toMatch(/\.$/)
    const [{ lang, source } = { lang: '', source: '' }] = samples
    expect([name, lang]).toEqual([name, 'typescript'])
    expect(source).toContain(`https://verify.test/api${route.path.split('{')[0]}`)
    expect(source.includes('Authorization'), name).toBe(route.access !== 'public')
  }
})

test('every call that honours Idempotency-Key documents the header', () => {
  const idempotentCalls = operations.filter(([, { summary }]) => summary.includes('Honours Idempotency-Key'))
  expect(idempotentCalls.map(([name]) => name)).toEqual(
    expect.arrayContaining(['verification.processPayment', 'organisationMembers.invite']),
  )
  for (const [name, { status = 200 }, { parameters, responses }] of idempotentCalls) {
    expect([name, ...parameters.map(parameter => parameter.name)]).toContain('Idempotency-Key')
    expect(Object.keys(responses[status]?.headers ?? {}), name).toContain('Idempotent-Replayed')
  }
})

test('every error response that states when to retry documents the Retry-After header', () => {
  for (const [name, , { responses }] of operations)
    for (const status of ['429', '503'])
      expect(Object.keys(responses[status]?.headers ?? {}), `${name} ${status}`).toContain('Retry-After')
  const responsesToPost = description.paths['/v1/verifications']?.post?.responses
  expect(Object.keys(responsesToPost?.['201']?.headers ?? {})).toContain('Idempotent-Replayed')
  expect(Object.keys(responsesToPost?.['409']?.headers ?? {})).toContain('Retry-After')
})

test('number schemas omit JavaScript’s safe-integer limits, because the reference would show them as examples', () => {
  expect(JSON.stringify(description)).not.toContain(String(Number.MAX_SAFE_INTEGER))
})

test('every required property of a schema is among its properties', () => {
  const missing: string[] = []
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { required, properties } = value as { required?: unknown; properties?: object }
    if (Array.isArray(required))
      missing.push(
        ...required.filter(name => !Object.hasOwn(properties ?? {}, name)).map(name => `${path}: ${name}`),
      )
    for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`)
  }
  walk(description.paths, '')
  expect(missing).toEqual([])
})
