import * as z from 'zod'
import { type ErrorCode, errorCatalogue } from './errors.ts'
import { describeKeyApi, keyErrors } from './key-errors.ts'
import { exampleOf, extraExampleFields, type Json, withExamples } from './openapi-examples.ts'
import { headersOfError, headersOfReply } from './openapi-headers.ts'
import { typeScriptSample } from './openapi-samples.ts'
import { tagGroups, tags } from './openapi-tags.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { keyRoutes } from './v1.ts'

/** Lists the keys of a record as properties if all of them are required, because client generators can only use properties. */
function nameProperties(json: Json): void {
  const { propertyNames, additionalProperties: item, required } = json
  if (!propertyNames || !Array.isArray(required)) return
  json.properties = Object.fromEntries(required.map(name => [name, item]))
  delete json.propertyNames
  delete json.additionalProperties
}

/** Returns the JSON Schema of data: for `input`, what a client sends; for `output`, what the server returns. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      nameProperties(jsonSchema)
      // Remove the limits of JavaScript's numbers, which the reference would show as examples.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return withExamples(json)
}

function toParameters(schema: z.ZodObject | undefined, location: 'path' | 'query'): Json[] {
  if (!schema) return []
  const json = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || (json.required?.includes(name) ?? false),
    // Query and path values always arrive as text, but the type to which they are converted is more useful here.
    schema: property,
    ...(Array.isArray(property.examples) && { example: property.examples[0] }),
  }))
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'The `ETag` of the version that was read. A different version is refused with `VERSION_CONFLICT`. Without it, the current version is changed.',
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  description:
    'Your own key for this request, 1 to 255 visible ASCII characters. With the same key, a retry returns the same payment or reply. A different request is refused with `IDEMPOTENCY_MISMATCH`.',
}

/** The usual code for each status, which also serves as its example; the catalogue has others with the same status. */
const defaultCodes: Record<number, ErrorCode> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  412: 'VERSION_CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'DATABASE_UNAVAILABLE',
}

/** Returns the error responses of a call by status, each with its codes. */
function errorsOf(route: Route): Json {
  const impliedStatuses = new Set<number>([429, 500, 503])
  if (route.body || route.multipart || route.query || route.params) impliedStatuses.add(400)
  if (route.params) impliedStatuses.add(404)
  if (route.body || route.multipart) for (const status of [408, 413, 415]) impliedStatuses.add(status)
  if (route.access !== 'public') for (const status of [401, 403]) impliedStatuses.add(status)
  if (route.ifMatch) for (const status of [400, 412]) impliedStatuses.add(status)
  const refusals = route.refusals ?? []
  const statuses = new Set([...impliedStatuses, ...refusals.map(code => errorCatalogue[code].status)])
  return Object.fromEntries(
    [...statuses].sort().map(status => {
      const declared = refusals.filter(code => errorCatalogue[code].status === status)
      const codes =
        impliedStatuses.has(status) && route.access !== 'key'
          ? Object.entries(errorCatalogue).flatMap(([code, entry]) => (entry.status === status ? [code] : []))
          : [
              ...new Set([
                ...declared,
                ...(defaultCodes[status] && impliedStatuses.has(status) ? [defaultCodes[status]] : []),
              ]),
            ]
      const defaultCode = impliedStatuses.has(status) ? defaultCodes[status] : undefined
      const exampleCodes = [...new Set([...declared, ...(defaultCode ? [defaultCode] : [])])]
      return [
        status,
        {
          description: codes.join(', '),
          headers: headersOfError(exampleCodes),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(
                exampleCodes.map(code => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        },
      ]
    }),
  )
}

/** Returns the cause and remedy for a code, if `/v1` sends it. */
function helpOf(code: string): { description?: string } {
  const help = keyErrors[code as ErrorCode]
  return help ? { description: `${help.cause} ${help.remedy}` } : {}
}

/** An example response body for every code in the catalogue. */
const errorExamples = () =>
  Object.fromEntries(
    Object.entries(errorCatalogue).map(([code, { message }]) => [
      code,
      {
        summary: code,
        ...helpOf(code),
        value: { error: message, code, request_id: '01JX3M5E7Q9R2T4V6W8Y0Z1A3B' },
      },
    ]),
  )

/** True if the response is a file and never JSON. */
const isFile = (route: Route) => route.media !== undefined && route.reply instanceof z.ZodString

/** Splits text into its first sentence, which becomes the title, and the rest. */
function splitTitle(text: string): { title: string; rest: string } {
  const [, first = text, rest = ''] = /^(.+?)\.(?: (.*))?$/s.exec(text) ?? []
  return { title: first, rest }
}

function operationOf(domain: string, name: string, route: Route, server: string): Json {
  const status = route.status ?? 200
  const { title, rest } = splitTitle(route.summary)
  const body = route.body && schemaOf(route.body, 'input')
  const example = body && { ...Object(exampleOf(body)), ...extraExampleFields[`${domain}.${name}`] }
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: title,
    description: [rest, `Access: ${route.access}.`, route.deprecated && `Deprecated: ${route.deprecated}`]
      .filter(Boolean)
      .join('\n\n'),
    ...(route.deprecated && { deprecated: true }),
    security: route.access === 'public' ? [] : [route.access === 'key' ? { key: [] } : { session: [] }],
    parameters: [
      ...toParameters(route.params, 'path'),
      ...toParameters(route.query, 'query'),
      ...(route.ifMatch ? [ifMatch] : []),
      ...(route.refusals?.includes('IDEMPOTENCY_MISMATCH') ? [idempotencyKey] : []),
    ],
    ...(body && {
      requestBody: {
        required: !route.body?.isOptional(),
        content: { 'application/json': { schema: body, example } },
      },
    }),
    ...(route.multipart && {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: [route.multipart],
              properties: { [route.multipart]: { type: 'string', format: 'binary' } },
            },
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: status === 201 ? 'Created' : 'Success',
        headers: headersOfReply(route),
        content: {
          ...(!isFile(route) && { 'application/json': { schema: schemaOf(route.reply, 'output') } }),
          ...Object.fromEntries((route.media ?? []).map(type => [type, { schema: { type: 'string' } }])),
          // The file contains the whole list, regardless of the page.
          ...(route.csv && { 'text/csv': { schema: { type: 'string' } } }),
        },
      },
      ...errorsOf(route),
    },
    'x-codeSamples': [
      { lang: 'typescript', label: 'TypeScript', source: typeScriptSample(route, server, example) },
    ],
  }
}

const ABOUT = `New to the API for organisations? Make your [first call in five minutes](/api/docs/first-call).

All endpoints of the portal. Money is in major units, times are ISO 8601 in UTC.

**Authentication.** Send the token of \`POST /auth/login\` as \`Authorization: Bearer <token>\`. Calls whose access is
\`public\` need none.

**Errors.** An error has a \`code\` for programs, a message for people in \`error\`, and the \`request_id\` of its log
entry. \`fields\` has the message of each invalid field. On 429 and 503, wait for \`Retry-After\` seconds.

**Retries.** Send an \`Idempotency-Key\` header with payments, and use the same key again when you retry.

**Paths.** Where two paths match a request, the first segment that differs decides, and a fixed segment counts before a
parameter: \`/admin/certificates/uploads/history\` is the upload with the ID \`history\`.

**Lists.** \`page\` and \`per_page\` (at most 100) choose a page. Lists that offer \`text/csv\` return all matching rows as a file.

**Sandbox.** Without a configured gateway, payments go to the sandbox gateway: no money moves, so every call can be tried
here.`

/** Returns the OpenAPI 3.1 description of the API, generated from the contract's table of routes. */
export function openApi(publicUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const [domain, table] of Object.entries({ ...keyRoutes, ...routes })) {
    for (const [name, route] of Object.entries(table)) {
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operationOf(domain, name, route, `${publicUrl}/api`),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Certificate verification portal',
      version: '1',
      description: `${ABOUT}\n\n${describeKeyApi()}`,
    },
    servers: [{ url: `${publicUrl}/api` }],
    tags,
    'x-tagGroups': tagGroups,
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `token` of the response of `POST /auth/login`.',
        },
        key: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'cv_live_… or cv_test_…',
          description: 'An API key of an organisation. It determines the organisation and the mode.',
        },
      },
      examples: errorExamples(),
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'code', 'request_id'],
          properties: {
            error: { type: 'string', description: 'Message to show to people.' },
            code: { type: 'string', enum: Object.keys(errorCatalogue) },
            request_id: { type: 'string' },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
            livemode: { type: 'boolean', description: 'The mode of the API key, in errors of its calls.' },
            suggestion: {
              type: 'string',
              description:
                'The certificate number that was probably meant: derived from the form of the number sent, or an existing number that differs only in its separators.',
            },
          },
        },
      },
    },
  }
}
