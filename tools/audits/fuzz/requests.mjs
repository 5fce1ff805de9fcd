// Generates valid and invalid requests to a route from the contract, as arbitraries of fast-check.
import { anything, likelyValid, maliciousText, withError } from './values.mjs'

/**
 * A generated request. `accepted`: whether the contract accepts it; undefined if that does not follow from the values.
 * @typedef {{
 *   method: string, path: string, headers: Record<string, string>, body?: string | Uint8Array | FormData,
 *   accepted: boolean | undefined, label: string
 * }} GeneratedRequest
 */

/** Fixed path segments at a position where another route has a parameter. */
const fixedSegments = new Set([
  'template',
  'upload',
  'uploads',
  'search',
  'all',
  'read-all',
  'check-file',
  'check-credential',
])

/** Returns the names of the response fields whose values fit a parameter of a route. */
export const fieldNamesFor = (domain, name) => {
  if (name === 'transaction_id' || /^(?:verification|transactions)$/.test(domain))
    return ['transaction_id', 'certificate_id']
  if (/^(?:adminAccountData|secondFactor)$/.test(domain)) return ['adminUsers.id']
  if (name === 'id') return [`${domain}.id`]
  return [name]
}

function pathValue(fc, domain, name, pools) {
  const values = fieldNamesFor(domain, name).flatMap(item => pools.get(item) ?? [])
  const others = [...pools.values()].flat()
  return (
    fc
      .oneof(
        ...(values.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...values) }] : []),
        ...(others.length > 0 ? [fc.constantFrom(...others)] : []),
        { weight: 2, arbitrary: maliciousText(fc) },
      )
      // With an empty segment, only dots, or a fixed segment, the request would be for another route.
      .filter(
        value =>
          !fixedSegments.has(value) && !/^\.*$|\.(?:pdf|jwt|ob3)$/i.test(value) && value.isWellFormed(),
      )
  )
}

/** Generates a path with values for its parameters, sometimes with an invalid escape sequence. */
function buildPath(fc, domain, route, pools) {
  const { shape = {} } = route.params ?? {}
  const values = Object.entries(shape).map(([name, schema]) => {
    const options = schema.def?.type === 'enum' ? fc.constantFrom(...schema.options) : undefined
    return [
      name,
      options
        ? fc.oneof(
            options,
            maliciousText(fc).filter(item => /[^.]/.test(item) && item.isWellFormed()),
          )
        : pathValue(fc, domain, name, pools),
    ]
  })
  return fc.tuple(fc.record(Object.fromEntries(values)), fc.nat(40)).map(([params, chance]) => {
    const hasInvalidEscape = chance === 0
    const path = route.path.replace(/\{(\w+)\}/g, (_, name) =>
      hasInvalidEscape ? '%ff%zz%00' : encodeURIComponent(params[name]),
    )
    return {
      path,
      accepted: hasInvalidEscape ? undefined : (route.params?.safeParse(params).success ?? true),
    }
  })
}

/** Generates the query of a request. Lists become repeated parameters. */
function queryOf(fc, route, pools) {
  const { query } = route
  const unknownParameters = fc.dictionary(
    fc.constantFrom('page', 'search', 'x', '__proto__', 'dry_run', 'status'),
    maliciousText(fc),
    {
      maxKeys: 3,
    },
  )
  const values = query
    ? fc.oneof(
        { weight: 3, arbitrary: likelyValid(fc, query, pools) },
        withError(fc, likelyValid(fc, query, pools)),
        unknownParameters,
      )
    : fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, unknownParameters)
  return values.map(object => {
    const pairs = Object.entries(object).flatMap(([name, value]) =>
      (Array.isArray(value) && value.length > 0 ? value : [value]).map(item => [name, textOf(item)]),
    )
    const searchParams = new URLSearchParams(pairs)
    const parsed = Object.fromEntries(
      [...new Set(searchParams.keys())].map(name => {
        // The portal removes NUL characters from queries.
        const all = searchParams.getAll(name).map(item => item.replaceAll('\0', ''))
        return [name, all.length === 1 ? all[0] : all]
      }),
    )
    return {
      search: pairs.length > 0 ? `?${searchParams}` : '',
      accepted: query?.safeParse(parsed).success ?? true,
    }
  })
}

const textOf = value => (typeof value === 'string' ? value : JSON.stringify(value)) ?? ''

const json = { 'content-type': 'application/json' }

/** Generates bodies for routes that read JSON: valid, invalid, and not JSON. */
function jsonBody(fc, route, pools) {
  const validBodies = likelyValid(fc, route.body, pools)
  const asJson = value => {
    const body = JSON.stringify(value)
    return { body, headers: json, accepted: route.body.safeParse(JSON.parse(body)).success }
  }
  return fc.oneof(
    { weight: 6, arbitrary: validBodies.map(asJson) },
    { weight: 4, arbitrary: withError(fc, validBodies).map(asJson) },
    { weight: 1, arbitrary: anything(fc).map(asJson) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          { body: '{"', headers: json },
          { body: '', headers: json },
          { body: '['.repeat(20_000), headers: json },
          { body: '[{'.repeat(20_000), headers: json },
          { body: ' '.repeat(300_000), headers: json },
          { body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]), headers: json },
          { body: '{}', headers: { 'content-type': 'text/plain' } },
          { body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
          { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
          { body: new Uint8Array([1, 2, 3]), headers: {} },
        )
        .map(item => ({ ...item, accepted: undefined })),
    },
  )
}

const CSV_HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
/** A PNG image of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Generates bodies for routes with a file upload. */
function formBody(fc, route, pools) {
  const cell = fc.oneof(
    maliciousText(fc),
    ...['certificate_number', 'email'].flatMap(name => {
      const values = pools.get(name) ?? []
      return values.length > 0 ? [fc.constantFrom(...values)] : []
    }),
  )
  const quote = value => `"${value.replaceAll('"', '""')}"`
  const csv = fc
    .array(fc.tuple(fc.stringMatching(/^UG\/20[01][0-9]\/[0-9]{5}$/), cell, cell, cell), { maxLength: 12 })
    .map(rows =>
      [
        CSV_HEADER,
        ...rows.map(([number, a, b, c]) =>
          [number, a, b, c, '2019-11-22', 'Pass', 'Law'].map(quote).join(','),
        ),
      ].join('\n'),
    )
  const bytes = fc.uint8Array({ maxLength: 400 })
  const content = fc.oneof(
    csv,
    maliciousText(fc),
    bytes,
    fc.constant(PNG),
    bytes.map(tail => Buffer.concat([PNG.subarray(0, 33), tail])),
    bytes.map(tail => Buffer.concat([Buffer.from('%PDF-1.7\n'), tail, Buffer.from('\n%%EOF')])),
    maliciousText(fc).map(
      text => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9"/>${text}</svg>`,
    ),
  )
  const name = fc.constantFrom('file.csv', 'logo.png', 'letter.pdf', '../../x.svg', 'Ọ.csv', 'a"b\u0001.csv')
  const field = fc.oneof({ weight: 6, arbitrary: fc.constant(route.multipart) }, fc.constantFrom('', 'other'))
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(content, name, field).map(([part, filename, fieldName]) => {
        const body = new FormData()
        body.append(fieldName, new File([part], filename))
        return { body, headers: {}, accepted: undefined }
      }),
    },
    fc.constantFrom(
      { body: new FormData(), headers: {}, accepted: undefined },
      { body: '{}', headers: json, accepted: undefined },
      { body: 'a', headers: { 'content-type': 'multipart/form-data' }, accepted: undefined },
      {
        body: '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nab',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        accepted: undefined,
      },
    ),
  )
}

const noInput = { headers: {}, accepted: true }

function bodyOf(fc, route, pools) {
  if (route.multipart) return formBody(fc, route, pools)
  if (route.body) return jsonBody(fc, route, pools)
  if (route.method === 'GET') return fc.constant(noInput)
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(noInput) },
    fc.constant({ body: '{"', headers: json, accepted: true }),
  )
}

/** Generates headers that affect responses, or that an attacker might use to affect them. */
const headersOf = fc =>
  fc.record(
    {
      accept: fc.constantFrom(
        'application/json',
        'text/csv',
        'application/x-ndjson',
        '*/*',
        'text/html',
        'x/;q=',
      ),
      'idempotency-key': fc.stringMatching(/^[!-~]{1,80}$/),
      'x-request-id': fc.stringMatching(/^[!-~]{1,200}$/),
      'x-forwarded-for': fc.constantFrom('1.2.3.4', '::1', "'", 'a, b, c'),
      range: fc.constantFrom('bytes=0-1', 'bytes=9-1'),
      'if-none-match': fc.constantFrom('*', '"a"'),
    },
    { requiredKeys: [] },
  )

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Generates requests to a route.
 * @param fc fast-check
 * @param {string} domain of the contract
 * @param {import('@portal/contract/route').Route} route
 * @param {Map<string, string[]>} pools values from responses, by field name
 */
export function arbitraryRequests(fc, domain, route, pools) {
  return fc
    .record({
      target: buildPath(fc, domain, route, pools),
      query: queryOf(fc, route, pools),
      payload: bodyOf(fc, route, pools),
      headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, headersOf(fc)),
      method: fc.oneof({ weight: 30, arbitrary: fc.constant(route.method) }, fc.constantFrom(...methods)),
    })
    .map(({ target, query, payload, headers, method }) => {
      const hasNoBody = method === 'GET' || method === 'HEAD'
      const parts = [target.accepted, query.accepted, payload.accepted]
      return {
        method,
        path: target.path + query.search,
        headers: { ...headers, ...(hasNoBody ? {} : payload.headers) },
        ...(!hasNoBody && payload.body !== undefined && { body: payload.body }),
        accepted: parts.includes(false) ? false : parts.includes(undefined) ? undefined : true,
        label: [method, target.path + query.search, JSON.stringify(headers), bodyLabel(payload.body)].join(
          ' ',
        ),
      }
    })
}

const bodyLabel = body =>
  body instanceof FormData
    ? [...body]
        .map(([name, part]) => `form ${JSON.stringify(name)} (${part instanceof File ? part.name : part})`)
        .join()
    : body === undefined
      ? ''
      : JSON.stringify(typeof body === 'string' ? body : [...body]).slice(0, 400)
