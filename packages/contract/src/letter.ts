import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { timestamp } from './shapes.ts'

/** The official letter as data: page, print and every later form are made from this one model. */
export const verificationTemplate = z.object({
  header: z.object({
    institution: z.string(),
    address: z.string(),
    ref_number: z.string(),
    /** US English long date, e.g. `January 31, 2026`. */
    date: z.string(),
  }),
  recipient: z.object({ company: z.string(), address: z.array(z.string()) }),
  subject: z.string(),
  content: z.object({
    opening: z.string(),
    certificate_details: z.object({
      sn: z.string(),
      name: z.string(),
      degree: z.string(),
      class: z.string(),
      date: z.string(),
    }),
    closing: z.string(),
    thanks: z.string(),
  }),
  signature: z.object({
    name: z.string(),
    title: z.string(),
    for: z.string(),
    email: z.string(),
    signature_image: z.string().nullable(),
    stamp_image: z.string().nullable(),
  }),
  assets: z.object({ logo: z.string().nullable() }),
})
export type VerificationTemplate = z.infer<typeof verificationTemplate>

/**
 * How a letter can be checked. `code` is 12 Crockford base32 characters; `url` the public page that says whether it stands,
 * the others the letter itself as a signed PDF, as a verifiable credential and as an Open Badge.
 */
export const letterLink = z.object({
  code: z.string(),
  url: z.string(),
  pdf_url: z.string(),
  credential_url: z.string(),
  open_badge_url: z.string(),
  status: z.enum(['valid', 'withdrawn', 'superseded']),
})
export type LetterLink = z.infer<typeof letterLink>

/** A letter as its holder sees it: how often it was checked by its code, and when last. */
export const heldLetter = letterLink.extend({ checks: z.int(), last_checked_at: timestamp.nullable() })
export type HeldLetter = z.infer<typeof heldLetter>

/** A letter code as typed or scanned: case, blanks and dashes do not matter; I, L and O read as 1, 1 and 0. */
export const letterCode = () =>
  z.string().transform(value =>
    value
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .replace(/[IL]/g, '1')
      .replaceAll('O', '0')
      .slice(0, 50),
  )

/** What anyone may know of a letter: whether it stands, and only what it says itself. */
export const letterCheck = z.object({
  status: letterLink.shape.status,
  /** Since when: the day of issue, or of the withdrawal or change. */
  status_since: timestamp,
  code: z.string(),
  ref_number: z.string(),
  issued_at: timestamp,
  /** As the letter has it. */
  date: z.string(),
  institution: z.string(),
  recipient: z.string(),
  certificate_number: z.string(),
  certificate_details: verificationTemplate.shape.content.shape.certificate_details,
  pdf_url: z.string(),
  credential_url: z.string(),
  open_badge_url: z.string(),
  /** How often this letter was checked, this time included. */
  checks: z.int(),
  previous_check_at: timestamp.nullable(),
  checked_at: timestamp,
})
export type LetterCheck = z.infer<typeof letterCheck>

export const letters = {
  check: route({
    method: 'GET',
    path: '/letters/{code}',
    access: 'public',
    summary: 'Returns whether a letter is genuine and still valid, with only what the letter itself says.',
    params: z.object({ code: letterCode() }),
    reply: letterCheck,
  }),
}
