import './zod-setup.ts'
import type * as z from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call a route. `user` is any signed-in account; admins may make user calls for themselves. `key` is an API key of an
 * organisation and nothing else.
 */
export type Access = 'public' | 'user' | 'admin' | 'super_admin' | 'key'

/** The access levels of accounts. */
export type SessionAccess = Exclude<Access, 'key'>

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface CsvFile {
  /** Name of the list for the log: `Activity logs`. */
  readonly title: string
  /** File name without date and extension: `activity_logs`. */
  readonly file: string
  /** Path parameter that the file is named after, in place of the day. */
  readonly namedAfter?: string
  readonly columns: readonly string[]
  /** Optional columns, written only if the institution uses them. */
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
   * Set if the route is deprecated: the route to call instead. Kept until no front-end release calls it (`npm run
   * contract`).
   */
  readonly deprecated?: string
  /** The day since which it has been deprecated, `YYYY-MM-DD`: responses have a `Deprecation` header (RFC 9745). */
  readonly deprecatedOn?: string
  /** Open to staff who still have to set up the required second factor. */
  readonly withoutSecondFactor?: true
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Maximum body size in bytes; 256 kB by default. */
  readonly bodyLimit?: number
  /** Schema of the success reply. The server parses replies with it, so that fields it does not name are never sent. */
  readonly reply: z.ZodType
  /** The list as a file, for `Accept: text/csv`: all matching rows, regardless of the page. */
  readonly csv?: CsvFile
  /** The body is `multipart/form-data`: the name of its file field, which is streamed. */
  readonly multipart?: string
  /** Media types of the response other than JSON; a route with `reply: z.string()` has only these. */
  readonly media?: readonly string[]
  /** True if the route changes one record and honours `If-Match`, which limits the change to one version (`if-match.ts`). */
  readonly ifMatch?: true
  /** Path of the reply's one record, which has a `version`: a field, or `''` for the reply itself. Sets `ETag`. */
  readonly record?: string
  /** Success status; 200 by default. */
  readonly status?: 200 | 201
  /** Errors besides those implied by access, input and limits; for the API description. */
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
