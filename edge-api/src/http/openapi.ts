import { errorCatalogue } from '@portal/contract/errors'
import type { Route } from '@portal/contract/route'
import { type Routes, routes } from '@portal/contract/routes'
import * as z from 'zod'

type Json = Record<string, unknown>

/** What each domain is about, in a sentence. */
const domains: Record<keyof Routes, string> = {
  auth: 'Accounts: registration, log-in and log-out, links by mail, passwords, profile.',
  secondFactor: 'The authenticator app of staff, and its recovery codes.',
  ownSessions: 'Sessions of the signed-in account.',
  ownAccountData: 'Own data: export and erasure.',
  verification: 'Check a certificate number, pay for it, and read its result.',
  bulkVerification: 'Up to 500 certificate numbers, checked at once and paid together.',
  transactions: 'Search of payments, with their history.',
  letterFiles: 'Letters as files: PDF, credential, keys and status lists.',
  letterHolder: 'For letter holders: share a letter, get the corrected one.',
  letters: 'Whether a letter is genuine and still valid.',
  adminCertificates: 'The register of certificates.',
  registerJobs: 'Background jobs that change many certificates, and reverts.',
  registerChanges: 'Who changed what in the register.',
  adminSettings: 'Fee, institution, letter texts and images, policies.',
  adminUploads: 'Uploads of certificates as CSV files, with the outcome of each row.',
  adminUsers: 'Management of accounts by staff.',
  adminAccountData: 'Personal data requested by mail: export and erasure.',
  adminLogs: 'The activity log.',
  adminAnalytics: 'Figures of the overview and of any period.',
  adminSearch: 'Certificates, users and transactions by one word.',
  adminReports: 'Verifications, payments, refunds and the ledger.',
  adminReconciliation: 'The ledger compared with the gateway’s records.',
  adminSettlements: 'What gateways paid out, and where that differs from the ledger.',
  adminDisputes: 'Disputes (chargebacks): deadlines, evidence, answers and how they end.',
  backgroundWork: 'Background jobs that cannot proceed, why, and when they are tried again.',
  notifications: 'Notifications of the account.',
  brand: 'The institution’s colour and images.',
  frontEnds: 'What front ends report.',
  health: 'Health of the portal and its components.',
}

/** JSON Schema of what travels: `input` for what a caller sends, `output` for what the server answers. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const json = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (json.required?.includes(name) ?? false),
    // A value of a query or path always arrives as text; what it coerces to says more.
    schema: property,
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

/** Error statuses that a call may answer with, each with the codes that belong to it. */
function errorsOf(route: Route): Json {
  const statuses = new Set<number>([429, 500, 503])
  if (route.body || route.multipart || route.query || route.params) statuses.add(400)
  if (route.params) statuses.add(404)
  if (route.body || route.multipart) for (const status of [408, 413, 415]) statuses.add(status)
  if (route.access !== 'public') for (const status of [401, 403]) statuses.add(status)
  if (route.ifMatch) for (const status of [400, 412]) statuses.add(status)
  for (const code of route.refusals ?? []) statuses.add(errorCatalogue[code].status)
  return Object.fromEntries(
    [...statuses].sort().map(status => {
      const codes = Object.entries(errorCatalogue).filter(([, entry]) => entry.status === status)
      return [
        status,
        {
          description: codes.map(([code]) => code).join(', '),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]
    }),
  )
}

/** The answer is never JSON. */
const isFile = (route: Route) => route.media !== undefined && route.reply instanceof z.ZodString

function operationOf(domain: string, name: string, route: Route): Json {
  const status = route.status ?? 200
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: route.summary,
    description: `Access: ${route.access}.${route.deprecated ? ` Deprecated: ${route.deprecated}` : ''}`,
    ...(route.deprecated && { deprecated: true }),
    security: route.access === 'public' ? [] : [{ session: [] }],
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(route.ifMatch ? [ifMatch] : []),
    ],
    ...(route.body && {
      requestBody: {
        required: !route.body.isOptional(),
        content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
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
        headers: {
          'X-Request-Id': { schema: { type: 'string' }, description: 'Names this request in the log.' },
          ...(route.record !== undefined && {
            ETag: {
              schema: { type: 'string' },
              description: 'The version of the record in quotes, for `If-Match`.',
            },
          }),
        },
        content: {
          ...(!isFile(route) && { 'application/json': { schema: schemaOf(route.reply, 'output') } }),
          ...Object.fromEntries((route.media ?? []).map(type => [type, { schema: { type: 'string' } }])),
          // The whole list, whatever the page.
          ...(route.csv && { 'text/csv': { schema: { type: 'string' } } }),
        },
      },
      ...errorsOf(route),
    },
  }
}

let description: Json | undefined

/** The OpenAPI 3.1 description of the API, made from the contract's table of routes. */
export function openApi(publicUrl: string): Json {
  description ??= describe(publicUrl)
  return description
}

function describe(publicUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const [domain, table] of Object.entries(routes)) {
    for (const [name, route] of Object.entries(table)) {
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operationOf(domain, name, route),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Certificate verification portal',
      version: '1',
      description: 'All endpoints of the portal. Money is in major units, times are ISO 8601 in UTC.',
    },
    servers: [{ url: `${publicUrl}/api` }],
    tags: Object.entries(domains).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'code', 'request_id'],
          properties: {
            error: { type: 'string', description: 'Message to show to people.' },
            code: { type: 'string', enum: Object.keys(errorCatalogue) },
            request_id: { type: 'string' },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
            suggestion: {
              type: 'string',
              description:
                'The certificate number that was probably meant: from the shape of what was sent alone, or, for a number in that shape that is not on record, one on record that differs only in its separators.',
            },
          },
        },
      },
    },
  }
}
