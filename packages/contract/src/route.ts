import './zod-setup.ts'
import type * as z from 'zod'
import type { ErrorCode } from './errors.ts'

/** Who may call a route. `user` means any signed-in account; admins may use user calls, for themselves. */
export type Access = 'public' | 'user' | 'admin' | 'super_admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface CsvFile {
  /** What it lists, for the log: `Activity logs`. */
  readonly title: string
  /** The file's name without date and ending: `activity_logs`. */
  readonly file: string
  readonly columns: readonly string[]
  /** Further ones, written only where the handler says that the institution uses them. */
  readonly optional?: readonly string[]
  /** Those of money: written with two decimals, as `5000.00`. */
  readonly money?: readonly string[]
}

/** One call of the HTTP API as plain data: it drives the server, the typed client, the mocks and OpenAPI. */
export interface Route {
  readonly method: Method
  /** Path below `/api`, with `{name}` for each path parameter. */
  readonly path: `/${string}`
  readonly access: Access
  /** One line for the API description. */
  readonly summary: string
  /** It will go: what to call instead. Stays until no release of a front end calls it (`npm run contract`). */
  readonly deprecated?: string
  /** Staff without the second factor that their institution asks for may call it all the same: it sets one up. */
  readonly withoutSecondFactor?: true
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The success reply; the server parses with it, so whatever it does not name never leaves. */
  readonly reply: z.ZodType
  /** The list as a file, for `Accept: text/csv`: every row of the filter, whatever the page. */
  readonly csv?: CsvFile
  /** The body is `multipart/form-data` instead of JSON: the name of its file field, which is read as it arrives. */
  readonly multipart?: string
  /** Other media types of the answer than JSON; a route with `reply: z.string()` has these alone. */
  readonly media?: readonly string[]
  /** It changes one record, and only the version that `If-Match` names, if the caller sends one (`if-match.ts`). */
  readonly ifMatch?: true
  /** Where the reply has its one record, which carries a `version`: a field, or `''` for the reply itself. Sets `ETag`. */
  readonly record?: string
  /** Success status, 200 unless something is created. */
  readonly status?: 200 | 201
  /** What it refuses with beyond what follows from its access, its input and the limits: for the API description. */
  readonly refusals?: readonly ErrorCode[]
}

/** Declares a route, keeping its exact types. A route without `access` or `reply` does not compile. */
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

/** The reply as it arrives at the caller. */
export type Reply<R extends Route> = z.output<R['reply']>
/** The reply as a handler gives it. */
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
