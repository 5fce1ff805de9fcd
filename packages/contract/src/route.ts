import './zod-setup.ts'
import type * as z from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call a route. `user`: any signed-in account, including admins, who act for themselves; `key`: only callers with an
 * organisation's API key.
 */
export type Access = 'public' | 'user' | 'admin' | 'super_admin' | 'key'

/** Who may call a route with a session or without any credentials; not with an API key. */
export type SessionAccess = Exclude<Access, 'key'>

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface CsvFile {
  /** Name of the list in the activity log: `Activity logs`. */
  readonly title: string
  /** File name without date and extension: `activity_logs`. */
  readonly file: string
  /** Path parameter whose value is in the file name in place of the date. */
  readonly namedAfter?: string
  readonly columns: readonly string[]
  /** Columns that are written only if the institution uses them. */
  readonly optional?: readonly string[]
  /** Money columns, written with two decimals: `5000.00`. */
  readonly money?: readonly string[]
}

/** One call of the HTTP API as data, used by the server, the typed client, the mocks and OpenAPI. */
export interface Route {
  readonly method: Method
  /** Path below `/api`, with `{name}` for each path parameter. */
  readonly path: `/${string}`
  readonly access: Access
  /** One line for the API description. */
  readonly summary: string
  /**
   * Which route to call instead; set if the route is deprecated. A deprecated route is kept until no front-end release calls it
   * (`npm run contract`).
   */
  readonly deprecated?: string
  /** The day on which it was deprecated, `YYYY-MM-DD`: its responses have a `Deprecation` header (RFC 9745). */
  readonly deprecatedOn?: string
  /** True if staff who still have to set up the required second factor may call it. */
  readonly withoutSecondFactor?: true
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Maximum body size in bytes; 256 kB by default. */
  readonly bodyLimit?: number
  /** Schema of the success reply. The server parses replies with it, so fields that it does not name are never sent. */
  readonly reply: z.ZodType
  /** The list as a CSV file, for `Accept: text/csv`: all matching rows, regardless of the page. */
  readonly csv?: CsvFile
  /** Name of the file field if the body is `multipart/form-data`; the file is streamed. */
  readonly multipart?: string
  /** Media types of the response in addition to JSON; with `reply: z.string()`, instead of JSON. */
  readonly media?: readonly string[]
  /** True if the route changes one record and honours `If-Match`, which limits the change to one version (`if-match.ts`). */
  readonly ifMatch?: true
  /**
   * Path within the reply to the one record that has a `version`: a field, or `''` for the reply itself. The response has an
   * `ETag` with this version.
   */
  readonly record?: string
  /** Success status; 200 by default. */
  readonly status?: 200 | 201
  /** Error codes in addition to those implied by access, input and limits; for the API description. */
  readonly refusals?: readonly ErrorCode[]
}

/** Declares a route and keeps its exact types. A route without `access` or `reply` does not compile. */
export function route<const R extends Route>(definition: R): R {
  return definition
}

type Part<
  R extends Route,
  K extends 'params' | 'query' | 'body',
  Shape extends 'input' | 'output',
> = R[K] extends z.ZodType ? (Shape extends 'input' ? z.input<R[K]> : z.output<R[K]>) : undefined

/** What a caller sends (before defaults and transforms). */
export type ParamsIn<R extends Route> = Part<R, 'params', 'input'>
export type QueryIn<R extends Route> = Part<R, 'query', 'input'>
export type BodyIn<R extends Route> = Part<R, 'body', 'input'>

/** What a handler receives (after defaults and transforms). */
export type ParamsOut<R extends Route> = Part<R, 'params', 'output'>
export type QueryOut<R extends Route> = Part<R, 'query', 'output'>
export type BodyOut<R extends Route> = Part<R, 'body', 'output'>

/** The reply as the caller receives it. */
export type Reply<R extends Route> = z.output<R['reply']>
/** The reply as a handler returns it. */
export type ReplyIn<R extends Route> = z.input<R['reply']>

/** One row of a route's CSV file: a value for each column. */
export type CsvRow<R extends Route> = R extends {
  readonly csv: { readonly columns: readonly (infer Column)[] }
}
  ? Readonly<Record<Column & string, CsvCell>> &
      (R extends { readonly csv: { readonly optional: readonly (infer More)[] } }
        ? Readonly<Partial<Record<More & string, CsvCell>>>
        : unknown)
  : never

type CsvCell = string | number | boolean | null
