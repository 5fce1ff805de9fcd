import './zod-setup.ts'
import * as z from 'zod'
import {
  CERTIFICATE_NUMBER_MAX,
  isCertificateNumber,
  normaliseCertificateNumber,
  normaliseSearch,
} from './certificate-number.ts'
import { suggestCertificateNumber } from './certificate-number-suggestion.ts'
import { graduationDateProblem, institutionDay } from './graduation-date.ts'
import { letterTextProblem, linkProblem, nameProblem, tidyAddress, tidyLine } from './letter-text.ts'

/*
 * The validation rules of the specification's section 5, once, for forms and server alike. A field with several
 * rules reports the first that fails, in the order written there.
 */

type Check = (value: string) => string | undefined

const trimmed = (value: string) => value.trim()
const asTyped = (value: string) => value

/** A string whose first failing check is its only message; a missing or non-string value reads as empty. */
function text(
  checks: readonly Check[],
  {
    form = trimmed,
    max = 255,
    suggest,
  }: { form?: (value: string) => string; max?: number; suggest?: Check } = {},
) {
  return z
    .string({ error: () => checks[0]?.('') ?? 'Please enter text.' })
    .transform(form)
    .check(context => {
      const tooLong: Check = value =>
        value.length > max ? `Please use at most ${max} characters.` : undefined
      for (const check of [...checks, tooLong]) {
        const message = check(context.value)
        if (message) {
          const suggestion = suggest?.(context.value)
          const params = suggestion === undefined ? {} : { params: { suggestion } }
          context.issues.push({ code: 'custom', message, input: context.value, ...params })
          return
        }
      }
    })
}

/** For a field that may be empty: null is as good, so that what was read can be sent back. */
const nullAsEmpty = (field: ReturnType<typeof text>) =>
  z
    .string({ error: 'Please enter text.' })
    .nullable()
    .transform(value => value ?? '')
    .pipe(field)

const required =
  (message: string): Check =>
  value =>
    value.trim() === '' ? message : undefined

// Deliberately simple: one @, no blanks, nothing that is not seen (an address would look like another one's), a dot in
// the domain, something between dots. Whether an address exists only a mail can tell.
const EMAIL =
  /^(?!\.|.*\.\.|.*\.@|.*@[.-])[^\s\p{C}@<>"(),:;\\[\]]{1,64}@[^\s\p{C}@<>"(),:;\\[\]]+\.[^\s\p{C}@.<>"(),:;\\[\]]{2,}$/u
// Reserved for addresses that cannot exist (RFC 2606); erased accounts have one.
const RESERVED = /\.invalid$/i
const validEmail: Check = value =>
  EMAIL.test(value) && value.length <= 254 && !RESERVED.test(value.normalize('NFKC'))
    ? undefined
    : 'Please enter a valid email address'

/** E-mail address, required, lower-cased. `blank` is the message when nothing was entered. */
export const email = (blank = 'Email is required') =>
  text([required(blank), validEmail]).transform(value => value.toLowerCase())

/** Number of a Nigerian bank account (NUBAN). */
export const bankAccountNumber = () =>
  text([
    required('Please enter the account number.'),
    value => (/^\d{10}$/.test(value) ? undefined : 'Please enter the 10 digits of the account number.'),
  ])

const NIGERIAN_PHONE = /^(?:\+?234|0)?[789][01]\d{8}$/
const INTERNATIONAL_PHONE = /^\+?[1-9]\d{6,15}$/
const validPhone: Check = value => {
  const digits = value.replace(/[\s\-()]/g, '')
  return NIGERIAN_PHONE.test(digits) || INTERNATIONAL_PHONE.test(digits)
    ? undefined
    : 'Please enter a valid phone number'
}

export const phone = () => text([required('Phone number is required'), validPhone], { max: 40 })
/** A phone number that may be left out, but not be wrong. */
export const optionalPhone = () =>
  nullAsEmpty(text([value => (value === '' ? undefined : validPhone(value))], { max: 40 })).optional()

const printed =
  (label: string): Check =>
  value =>
    letterTextProblem(label, value)
const named =
  (label: string): Check =>
  value =>
    nameProblem(label, value)
/** Its first part is the name of an organisation; all of it stands on letters. */
const addressed: Check = value => letterTextProblem('Address', value) ?? linkProblem('Address', value)

export const firstname = () =>
  text([required('First name is required'), named('First name')], { form: tidyLine, max: 100 })
export const lastname = () =>
  text([required('Last name is required'), named('Last name')], { form: tidyLine, max: 100 })
export const middlename = () =>
  text([named('Middle name')], { form: tidyLine, max: 100 })
    .nullish()
    .transform(value => value || null)
export const address = () =>
  text([required('Address is required'), addressed], { form: tidyAddress, max: 500 })
export const optionalAddress = () =>
  nullAsEmpty(text([addressed], { form: tidyAddress, max: 500 })).optional()

/** One rule of a strong password, for the live checklist and the message alike. */
export interface PasswordRule {
  label: string
  message: string
  met: (password: string) => boolean
}

/** The password rules in the order in which a failure is reported (specification, section 5). */
export const passwordRules: readonly PasswordRule[] = [
  {
    label: 'At least 8 characters',
    message: 'Password must be at least 8 characters long',
    met: password => [...password].length >= 8,
  },
  {
    label: 'One uppercase letter',
    message: 'Password must contain at least one uppercase letter',
    met: password => /\p{Lu}/u.test(password),
  },
  {
    label: 'One lowercase letter',
    message: 'Password must contain at least one lowercase letter',
    met: password => /\p{Ll}/u.test(password),
  },
  {
    label: 'One number',
    message: 'Password must contain at least one number',
    met: password => /\d/.test(password),
  },
]

const strong: Check = password => passwordRules.find(rule => !rule.met(password))?.message

/** A new password: required, then strength-checked. Never trimmed: blanks may be part of it. */
export const newPassword = (blank = 'Password is required') =>
  text([value => (value === '' ? blank : undefined), strong], { form: asTyped, max: 200 })

/** An existing password: only required; its strength was checked when it was chosen. */
export const password = (blank = 'Password is required') =>
  text([value => (value === '' ? blank : undefined)], { form: asTyped, max: 200 })

const NO_NUMBER = 'Please enter a certificate number.'
const validCertificateNumber: Check = value =>
  isCertificateNumber(value) ? undefined : 'Please enter a valid certificate number.'

/** A certificate number as typed or pasted, normalised. Its refusal carries the number that was probably meant. */
export const certificateNumber = () =>
  z
    .string({ error: NO_NUMBER })
    .transform(normaliseCertificateNumber)
    .pipe(
      text([required(NO_NUMBER), validCertificateNumber], {
        max: CERTIFICATE_NUMBER_MAX,
        suggest: suggestCertificateNumber,
      }),
    )

/** What a list is searched for; a certificate number, or part of one, is normalised. */
export const searchText = () => z.string().overwrite(normaliseSearch).max(200)

/** Longest transaction id accepted for tracking (specification, section 9). */
const TRANSACTION_ID_MAX = 50

/**
 * Normalises what a person types for a transaction id: upper case; only A-Z, 0-9, hyphen and underscore kept;
 * at most 50 characters.
 */
export function normaliseTransactionId(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9_-]/g, '')
    .slice(0, TRANSACTION_ID_MAX)
}

/** A transaction id in a path: lower case and the displayed dashes are accepted. */
export const transactionId = () =>
  z.string().transform(value => normaliseTransactionId(value).replaceAll('-', ''))

/** A calendar date, `YYYY-MM-DD`, that exists. */
export const date = (blank = 'Please enter a date as YYYY-MM-DD.') =>
  text([
    required(blank),
    value => {
      const parsed = new Date(`${value}T00:00:00Z`)
      const real = /^\d{4}-\d{2}-\d{2}$/.test(value) && parsed.toJSON()?.slice(0, 10) === value
      return real ? undefined : 'Please enter a date as YYYY-MM-DD.'
    },
  ])

/** The day of a graduation: from 1900 to today where the institution is. */
export const graduationDate = () =>
  date('Graduation date is required').check(context => {
    const message = graduationDateProblem(context.value, institutionDay())
    if (message && context.issues.length === 0)
      context.issues.push({ code: 'custom', message, input: context.value })
  })

/** Text that stands on a letter: `Grade is required` when there is none. @param label as in `Grade` */
export const printedText = (label: string, max = 255, blank = `${label} is required`) =>
  text([required(blank), printed(label)], { form: tidyLine, max })
export const optionalPrintedText = (label: string, max = 255) =>
  text([printed(label)], { form: tidyLine, max })
    .nullish()
    .transform(value => value || null)
/** The name of a person or an organisation. */
export const nameText = (label: string, max = 255) =>
  text([required(`${label} is required`), named(label)], { form: tidyLine, max })
/** An e-mail address that stands on a letter. */
export const printedEmail = (label: string) =>
  email().check(context => {
    const message = letterTextProblem(label, context.value)
    if (message) context.issues.push({ code: 'custom', message, input: context.value })
  })

/** Free text of a form that must not be left blank. */
export const requiredText = (message: string, max = 255) => text([required(message)], { max })
export const optionalText = (max = 255) =>
  text([], { max })
    .nullish()
    .transform(value => value || null)
