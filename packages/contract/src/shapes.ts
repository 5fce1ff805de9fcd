import './zod-setup.ts'
import * as z from 'zod'

/* Shapes shared by several domains. Replies are parsed with them, so each lists exactly the fields that may be sent. */

export const roles = ['user', 'admin', 'super_admin'] as const
export const role = z.enum(roles)
export type Role = z.infer<typeof role>

/** A record's ID in a path. Only its length is checked: anything else is treated as an unknown ID. */
export const idParam = z.object({ id: z.string().max(64) })

/**
 * Money in requests and replies: major units with two decimals, e.g. 5000 or 5000.5. Internally, amounts are integers
 * of minor units.
 */
export const money = z.number()

/** A record's version: starts at 1 and increases by one with each change of its content. */
export const version = z.int()

/** A time in ISO 8601, UTC, e.g. `2026-01-31T08:00:00.000Z`. */
export const timestamp = z.string()

/** A decimal number; `Number` would also accept `0x10`, `1e2` and a space. */
const DECIMAL_NUMBER = /^-?\d+(?:\.\d+)?$/

const parseNumber = (value: unknown) => {
  if (typeof value !== 'string') return value
  if (value === '') return undefined
  return DECIMAL_NUMBER.test(value) ? Number(value) : Number.NaN
}

/**
 * A number in a query string. Missing or empty means the default. The inner default is for the API description; the outer
 * default makes the parameter optional.
 */
export const countQuery = (max: number, defaultValue: number) =>
  z.preprocess(parseNumber, z.int().min(1).max(max).default(defaultValue)).default(defaultValue)

/** Pagination parameters of a list call: `{page, per_page}`. */
export const pageQuery = (defaultPerPage: number) => ({
  page: countQuery(1_000_000, 1),
  per_page: countQuery(100, defaultPerPage),
})

/** An optional filter of a list; the empty string means no filter. */
export const filter = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional()

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `Please choose one of ${words.join(', ')}.` })

/** A filter with fixed values. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  filter(oneOf(words))

/** A case-insensitive filter with fixed values, which are in lowercase. */
export const caseInsensitiveChoice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  filter(
    z
      .string()
      .transform(word => word.toLowerCase())
      .pipe(oneOf(words)),
  )

export const pagination = z.object({
  page: z.int(),
  pages: z.int(),
  per_page: z.int(),
  total: z.int(),
  /** Set if counting stopped at `total`, so there may be more. */
  total_is_minimum: z.literal(true).optional(),
  has_prev: z.boolean(),
  has_next: z.boolean(),
})
export type Pagination = z.infer<typeof pagination>

/** Computes the pagination block of a reply. `pages` is at least 1, so that an empty list still has 'Page 1 of 1'. */
export function paginate(page: number, perPage: number, total: number): Pagination {
  const pages = Math.max(1, Math.ceil(total / perPage))
  return { page, pages, per_page: perPage, total, has_prev: page > 1, has_next: page < pages }
}

/** The user record stored in the browser with the token. */
export const sessionUser = z.object({
  id: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  role,
})
export type SessionUser = z.infer<typeof sessionUser>

export const profileUser = sessionUser.extend({
  middlename: z.string().nullable(),
  phone: z.string(),
  address: z.string(),
  is_verified: z.boolean(),
  created_at: timestamp,
  version,
})
export type ProfileUser = z.infer<typeof profileUser>

/** A certificate as shown to staff. */
export const certificate = z.object({
  id: z.string(),
  certificate_number: z.string(),
  student_name: z.string(),
  matric_number: z.string().nullable(),
  course: z.string(),
  graduation_date: z.string(),
  grade: z.string(),
  department: z.string(),
  uploader_email: z.string().nullable(),
  uploaded_at: timestamp,
  updated_at: timestamp,
  version,
})
export type Certificate = z.infer<typeof certificate>

/** A certificate as shown to someone who has paid for it, with only the fields that letters show. */
export const verifiedCertificate = certificate.pick({
  certificate_number: true,
  student_name: true,
  course: true,
  graduation_date: true,
  grade: true,
  department: true,
})
export type VerifiedCertificate = z.infer<typeof verifiedCertificate>

export const message = z.object({ message: z.string() })
