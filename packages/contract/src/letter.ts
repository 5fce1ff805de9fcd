import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { timestamp } from './shapes.ts'

const letterFields = ['certificate_number', 'student_name', 'course', 'grade', 'graduation_date']

/** True if letters show this field of a certificate; changes to other fields do not affect the letters. */
export const isOnLetters = (field: string) => letterFields.includes(field)

/** The official letter as data, from which the page, the printout and the files are created. */
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
 * Where to check a letter: `code` is 12 Crockford base32 characters, `url` is the public page with its status, and the other
 * URLs are the letter as a signed PDF, a verifiable credential and an Open Badge.
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

/** A letter as its holder sees it, with how often and when it was last checked by its code. */
export const heldLetter = letterLink.extend({ checks: z.int(), last_checked_at: timestamp.nullable() })
export type HeldLetter = z.infer<typeof heldLetter>

/** A letter's code as typed or scanned: case, spaces and dashes are ignored; I and L are read as 1, and O as 0. */
export const letterCode = () =>
  z.string().transform(value =>
    value
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .replace(/[IL]/g, '1')
      .replaceAll('O', '0')
      .slice(0, 50),
  )

/** What anyone with a letter's code can see: its status, and otherwise only what the letter itself shows. */
export const letterCheck = z.object({
  status: letterLink.shape.status,
  /** When it was issued, withdrawn or superseded. */
  status_since: timestamp,
  code: z.string(),
  ref_number: z.string(),
  issued_at: timestamp,
  /** The date as printed on the letter. */
  date: z.string(),
  institution: z.string(),
  recipient: z.string(),
  certificate_number: z.string(),
  certificate_details: verificationTemplate.shape.content.shape.certificate_details,
  pdf_url: z.string(),
  credential_url: z.string(),
  open_badge_url: z.string(),
  /** How often this letter has been checked, including this time. */
  checks: z.int(),
  previous_check_at: timestamp.nullable(),
  checked_at: timestamp,
})
export type LetterCheck = z.infer<typeof letterCheck>

/** The files of the specimen are not signed, so it has neither a credential nor an Open Badge. */
const unsigned = z.null().describe('Null: the specimen of test mode is not signed.')

/** The specimen, which is the letter of test mode. It is public, names no real person, and never counts as proof. */
export const specimenCheck = letterCheck.extend({
  status: z.literal('specimen').describe('The letter of test mode. It is about no one and proves nothing.'),
  credential_url: unsigned,
  open_badge_url: unsigned,
})
export type SpecimenCheck = z.infer<typeof specimenCheck>

export const letters = {
  check: route({
    method: 'GET',
    path: '/letters/{code}',
    access: 'public',
    summary:
      'Returns whether a letter is genuine and still valid, with only the data that the letter itself shows.',
    params: z.object({ code: letterCode() }),
    reply: z.discriminatedUnion('status', [letterCheck, specimenCheck]),
  }),
}
