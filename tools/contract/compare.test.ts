import { openApi } from '@portal/contract/openapi'
import { describe, expect, it } from 'vitest'
import { findBreakingChanges, pickCalls, reviewBreaks } from './compare.ts'
import { type Call, type Description, describe as describeApi } from './description.ts'
import type { Schema } from './schema.ts'

/* Tests which changes of the API break released front ends, with one example of each kind. */

const text: Schema = { type: 'string' }
const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
})

const base: Call = {
  name: 'verification.track',
  method: 'GET',
  path: '/payments/{id}',
  access: 'user',
  params: [{ type: 'string', maxLength: 24 }],
  media: ['text/csv'],
}
const api = (call: Partial<Call>, codes = ['NOT_FOUND', 'FORBIDDEN']): Description => {
  const merged = { ...base, ...call }
  return { codes, calls: { [`${merged.method} ${merged.path.replace(/\{\w+\}/g, '{}')}`]: merged } }
}

/** Returns the breaking changes for a front end that was made for the first API and calls the second one. */
const listBreaks = (before: Partial<Call>, after: Partial<Call>) =>
  findBreakingChanges(api(before), api(after)).map(({ line }) => line)

const listRequestBreaks = (before: Schema, after: Schema) => listBreaks({ body: before }, { body: after })
const listResponseBreaks = (before: Schema, after: Schema) => listBreaks({ reply: before }, { reply: after })

describe('calls', () => {
  it.each([
    ['was removed', { name: 'other.call', path: '/other' }, 'it was removed'],
    ['moved', { path: '/transactions/{id}' }, 'it is now GET /transactions/{id}'],
    ['changed its method', { method: 'POST' }, 'it is now POST /payments/{id}'],
    ['is for another role', { access: 'admin' }, 'it was for user, and is for admin'],
    ['no longer returns CSV', { media: [] }, 'text/csv is no longer returned'],
    [
      'accepts only shorter IDs',
      { params: [{ type: 'string', maxLength: 12 }] },
      'parameter 1 maxLength is 12, was 24',
    ],
  ])('a call that %s is a breaking change', { tags: ['SHIPPING-14'] }, (_, after, expected) => {
    expect(listBreaks({}, after)).toEqual([`GET /payments/{}: ${expected}`])
  })

  it('renaming a parameter, or a call in the contract, is not a breaking change', () => {
    expect(listBreaks({}, { path: '/payments/{reference}', name: 'payments.track' })).toEqual([])
  })

  it('removing an error code is a breaking change', () => {
    expect(findBreakingChanges(api({}), api({}, ['NOT_FOUND']))).toEqual([
      { call: 'error codes', line: 'error codes: FORBIDDEN was removed' },
    ])
  })
})

describe('requests of front ends', () => {
  const before = object({ number: text, note: text, kind: { enum: ['one', 'many'] } }, ['number'])
  const changed = (name: string, schema: Schema) =>
    ({ ...before, properties: { ...before.properties, [name]: schema } }) satisfies Schema

  it.each<[string, Schema, string]>([
    [
      'an optional field becomes required',
      { ...before, required: ['number', 'note'] },
      'body.note is required, and may be left out',
    ],
    [
      'a new field is required',
      { ...changed('reason', text), required: ['number', 'reason'] },
      'body.reason is required, and is not sent',
    ],
    ['another type', changed('number', { type: 'integer' }), 'body.number may be string, not integer'],
    [
      'a lower maximum length',
      changed('note', { type: 'string', maxLength: 10 }),
      'body.note maxLength is 10, was none',
    ],
    ['a new pattern', changed('note', { type: 'string', pattern: '^a' }), 'body.note must match ^a'],
    ['fewer enumeration values', changed('kind', { enum: ['one'] }), 'body.kind may be "many", not "one"'],
    [
      'a field is no longer read',
      object({ number: text, kind: {} }, ['number']),
      'body.note is sent, and not read',
    ],
  ])('reports a breaking change: %s', (_, after, expected) => {
    expect(listRequestBreaks(before, after)).toEqual([`GET /payments/{}: ${expected}`])
  })

  it('a smaller maximum of a number, or stricter limits on list entries, is a breaking change', () => {
    const numbers = (max: number, entries: object): Schema =>
      object({
        page: { type: 'integer', minimum: 1, maximum: max },
        all: { type: 'array', items: text, ...entries },
      })
    expect(
      listRequestBreaks(numbers(100, { maxItems: 500 }), numbers(50, { minItems: 1, maxItems: 100 })),
    ).toEqual([
      'GET /payments/{}: body.page maximum is 50, was 100',
      'GET /payments/{}: body.all minItems is 1, was none',
      'GET /payments/{}: body.all maxItems is 100, was 500',
    ])
  })

  it('a body, query or form with new required fields is a breaking change', () => {
    expect(listBreaks({}, { body: object({ reason: text }) })).toEqual([
      'GET /payments/{}: body.reason is required, and is not sent',
    ])
    expect(listBreaks({}, { query: object({ page: text }, []) })).toEqual([])
    expect(listBreaks({ form: object({ file: {} }) }, { form: object({ csv: {} }) })).toEqual([
      'GET /payments/{}: form.csv is required, and is not sent',
      'GET /payments/{}: form.file is sent, and not read',
    ])
  })

  it('wider types and additional fields are compatible', { tags: ['SHIPPING-14'] }, () => {
    expect(
      listRequestBreaks(before, {
        ...before,
        properties: {
          number: { anyOf: [text, { type: 'integer' }] },
          note: { type: ['string', 'null'] },
          kind: { enum: ['one', 'many', 'all'] },
          extra: text,
        },
      }),
    ).toEqual([])
    expect(
      listRequestBreaks(
        object({ amount: { type: 'integer', minimum: 1 } }),
        object({ amount: { type: 'number' } }),
      ),
    ).toEqual([])
  })
})

describe('responses to front ends', () => {
  const row = object({ code: text, paid: { type: ['number', 'null'] }, state: { enum: ['open', 'done'] } }, [
    'code',
    'paid',
    'state',
  ])
  const reply = (schema: Schema) => object({ rows: { type: 'array', items: schema } })
  const changed = (name: string, schema: Schema) =>
    reply({ ...row, properties: { ...row.properties, [name]: schema } })

  it.each<[string, Schema, string]>([
    [
      'a field is removed',
      reply(object({ code: text, state: { enum: ['open', 'done'] } })),
      'reply.rows[].paid is gone',
    ],
    [
      'a field may be missing',
      reply({ ...row, required: ['code', 'state'] }),
      'reply.rows[].paid may be missing',
    ],
    ['another type', changed('code', { type: 'integer' }), 'reply.rows[].code may be integer, not string'],
    [
      'null where there was none',
      changed('code', { type: ['string', 'null'] }),
      'reply.rows[].code may be null, not string',
    ],
    [
      'a new enumeration value',
      changed('state', { enum: ['open', 'done', 'lost'] }),
      'reply.rows[].state may be "lost", which is not expected',
    ],
    ['an object instead of a list', object({ rows: row }), 'reply.rows may be object, not array'],
    ['any type', changed('code', {}), 'reply.rows[].code may be anything, not only string'],
  ])('reports a breaking change: %s', (_, after, expected) => {
    expect(listResponseBreaks(reply(row), after)).toEqual([`GET /payments/{}: ${expected}`])
  })

  it('a response that is no longer JSON is a breaking change', () => {
    expect(listBreaks({ reply: row }, {})).toEqual(['GET /payments/{}: the reply is no longer JSON'])
  })

  it('a change of the type of a record’s values is a breaking change', () => {
    const counts = (schema: Schema): Schema => ({ type: 'object', additionalProperties: schema })
    expect(listResponseBreaks(counts({ type: 'integer' }), counts(text))).toEqual([
      'GET /payments/{}: reply.* may be string, not integer',
    ])
  })

  it('additional fields, narrower types and new error codes are compatible', () => {
    expect(
      listResponseBreaks(
        reply(row),
        reply(
          object({
            code: { type: 'string', maxLength: 5 },
            paid: { type: 'integer' },
            state: { enum: ['done'] },
            more: {},
          }),
        ),
      ),
    ).toEqual([])
    // New error codes are compatible, because front ends must expect them.
    expect(
      listResponseBreaks({ type: 'string', catalogue: true }, { type: 'string', catalogue: true }),
    ).toEqual([])
  })
})

it('the next front end is compared with the running API in the same way', () => {
  const running = api({ reply: object({ code: text }) })
  const next = api({ reply: object({ code: text, letter: text }), body: object({ note: text }, []) })
  expect(findBreakingChanges(running, next)).toEqual([])
  expect(findBreakingChanges(next, running).map(({ line }) => line)).toEqual([
    'GET /payments/{}: body.note is sent, and not read',
    'GET /payments/{}: reply.letter is gone',
  ])
  expect(findBreakingChanges(pickCalls(next, new Set()), running)).toEqual([])
})

it('a breaking change can be accepted by its exact line, and accepted lines that match none are stale', () => {
  const breakingChanges = findBreakingChanges(
    api({ reply: object({ code: text }) }),
    api({ reply: object({}) }),
  )
  const accepted = { break: 'GET /payments/{}: reply.code is gone', why: 'nobody reads it' }
  expect(reviewBreaks(breakingChanges, []).refused).toEqual(breakingChanges)
  expect(reviewBreaks(breakingChanges, [accepted])).toEqual({ refused: [], stale: [] })
  expect(reviewBreaks([], [accepted])).toEqual({ refused: [], stale: [accepted] })
})

describe('the API of these sources', () => {
  // The description is serialised as JSON, as a running portal sends it.
  const describeOwnApi = () => describeApi(JSON.parse(JSON.stringify(openApi('http://portal.test'))))

  it('is compatible with itself', () => {
    expect(findBreakingChanges(describeOwnApi(), describeOwnApi())).toEqual([])
  })

  it('is described with all parameters, queries, bodies, forms, files, access and enumerations', () => {
    const { calls, codes } = describeOwnApi()
    expect(codes).toContain('CERTIFICATE_NOT_FOUND')
    expect(calls['POST /auth/login']).toMatchObject({ name: 'auth.login', access: 'public' })
    expect(calls['POST /auth/login']?.body?.required).toEqual(['email', 'password'])
    expect(calls['GET /letters/{}']?.params).toHaveLength(1)
    expect(calls['GET /admin/activity-logs']?.query?.properties).toHaveProperty('activity_type')
    expect(calls['GET /admin/activity-logs']?.media).toEqual(['text/csv'])
    expect(calls['POST /admin/certificates/upload']?.form?.required).toEqual(['file'])
    expect(calls['GET /brand.css']?.reply).toBeUndefined()
    expect(calls['GET /verification/history']?.reply?.properties?.history?.items?.properties?.code).toEqual({
      type: 'string',
      catalogue: true,
    })
  })

  it('breaks its front ends if a field is removed from a response', () => {
    const before = describeOwnApi()
    const changed = JSON.parse(JSON.stringify(before))
    delete changed.calls['GET /verification/history'].reply.properties.history.items.properties.resolution
    changed.calls['GET /verification/history'].reply.properties.history.items.required = ['id']
    expect(findBreakingChanges(before, changed).map(({ line }) => line)).toContain(
      'GET /verification/history: reply.history[].resolution is gone',
    )
  })
})
