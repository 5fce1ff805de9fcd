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
import { letterTextProblem, linkProblem, nameProblem, tidyAddress, tidyLine } from './printable-text.ts'

/*
 * Validation rules (specification, section 5), shared by forms and server. If a value breaks several rules, the field reports
 * the first of them in the order given here.
 */

type Check = (value: string) => string | undefined

const trim = (value: string) => value.trim()
const keepAsTyped = (value: string) => value

/** A string schema that reports only its first failing check; a missing or non-string value counts as empty. */
function text(
  checks: readonly Check[],
  {
    normalise = trim,
    max = 255,
    suggest,
    blankMessage,
  }: { normalise?: (value: string) => string; max?: number; suggest?: Check; blankMessage?: string } = {},
) {
  return z
    .string({ error: () => blankMessage ?? checks[0]?.('') ?? 'Please enter text.' })
    .transform(normalise)
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

/** Extends a field to accept null as an empty value, so that a stored value can be sent back unchanged. */
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

// Deliberately simple: one @, no spaces, no invisible characters (which could make it look like another address), and a dot in
// the domain with text on both sides. Only sending an email can show whether the address exists.
const EMAIL =
  /^(?!\.|.*\.\.|.*\.@|.*@[.-])[^\s\p{C}@<>"(),:;\\[\]]{1,64}@[^\s\p{C}@<>"(),:;\\[\]]+\.[^\s\p{C}@.<>"(),:;\\[\]]{2,}$/u
// The top-level domain reserved for addresses that cannot exist (RFC 2606); erased accounts get such an address.
const RESERVED_DOMAIN = /\.invalid$/i
const validEmail: Check = value =>
  EMAIL.test(value) && value.length <= 254 && !RESERVED_DOMAIN.test(value.normalize('NFKC'))
    ? undefined
    : 'Please enter a valid email address'

/** A required email address, in lowercase. `blankMessage` is the message for an empty field. */
export const email = (blankMessage = 'Email is required') =>
  text([required(blankMessage), validEmail]).transform(value => value.toLowerCase())

/** A Nigerian bank account number (NUBAN). */
export const bankAccountNumber = () =>
  text([
    required('Account number is required'),
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
/** An optional phone number. */
export const optionalPhone = () =>
  nullAsEmpty(text([value => (value === '' ? undefined : validPhone(value))], { max: 40 })).optional()

const printable =
  (label: string): Check =>
  value =>
    letterTextProblem(label, value)
const validName =
  (label: string): Check =>
  value =>
    nameProblem(label, value)
/** Checks an address: letters print it, and its first part is the organisation's name. */
const validAddress: Check = value => letterTextProblem('Address', value) ?? linkProblem('Address', value)

export const firstname = () =>
  text([required('First name is required'), validName('First name')], { normalise: tidyLine, max: 100 })
export const lastname = () =>
  text([required('Last name is required'), validName('Last name')], { normalise: tidyLine, max: 100 })
export const middlename = () =>
  text([validName('Middle name')], { normalise: tidyLine, max: 100 })
    .nullish()
    .transform(value => value || null)
export const address = () =>
  text([required('Address is required'), validAddress], { normalise: tidyAddress, max: 500 })
export const optionalAddress = () =>
  nullAsEmpty(text([validAddress], { normalise: tidyAddress, max: 500 })).optional()

/** A password rule, shown in the live checklist and as an error message. */
export interface PasswordRule {
  label: string
  message: string
  isMet: (password: string) => boolean
}

/** Password rules in the order in which failures are reported (specification, section 5). */
export const passwordRules: readonly PasswordRule[] = [
  {
    label: 'At least 8 characters',
    message: 'Password must be at least 8 characters long',
    isMet: password => [...password].length >= 8,
  },
  {
    label: 'One uppercase letter',
    message: 'Password must contain at least one uppercase letter',
    isMet: password => /\p{Lu}/u.test(password),
  },
  {
    label: 'One lowercase letter',
    message: 'Password must contain at least one lowercase letter',
    isMet: password => /\p{Ll}/u.test(password),
  },
  {
    label: 'One number',
    message: 'Password must contain at least one number',
    isMet: password => /\d/.test(password),
  },
]

const passwordProblem: Check = password => passwordRules.find(rule => !rule.isMet(password))?.message

export const PASSWORD_REQUIRED = 'Password is required'

/** A new password: required, then checked for strength. Never trimmed, because spaces may be part of it. */
export const newPassword = (blankMessage = PASSWORD_REQUIRED) =>
  text([value => (value === '' ? blankMessage : undefined), passwordProblem], {
    normalise: keepAsTyped,
    max: 200,
  })

/** A new password, or an empty string if the account's owner will choose one later. */
export const newPasswordOrNone = () =>
  text([value => (value === '' ? undefined : passwordProblem(value))], {
    normalise: keepAsTyped,
    max: 200,
    blankMessage: PASSWORD_REQUIRED,
  }).default('')

/** An existing password; the only check is that it is not empty. */
export const password = (blankMessage = PASSWORD_REQUIRED) =>
  text([value => (value === '' ? blankMessage : undefined)], { normalise: keepAsTyped, max: 200 })

const NUMBER_REQUIRED = 'Please enter a certificate number.'
const validCertificateNumber: Check = value =>
  isCertificateNumber(value) ? undefined : 'Please enter a valid certificate number.'

/** A certificate number, normalised. Its error includes a suggested number, if any. */
export const certificateNumber = () =>
  z
    .string({ error: NUMBER_REQUIRED })
    .transform(normaliseCertificateNumber)
    .pipe(
      text([required(NUMBER_REQUIRED), validCertificateNumber], {
        max: CERTIFICATE_NUMBER_MAX,
        suggest: suggestCertificateNumber,
      }),
    )

/** A search term; certificate numbers and parts of them are normalised. */
export const searchText = () => z.string().overwrite(normaliseSearch).max(200)

/** Maximum length of a transaction ID for tracking (specification, section 9). */
const TRANSACTION_ID_MAX = 50

/** Normalises a typed transaction ID: uppercase; only A-Z, 0-9, hyphen and underscore; at most 50 characters. */
export function normaliseTransactionId(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9_-]/g, '')
    .slice(0, TRANSACTION_ID_MAX)
}

/** A transaction ID in a path, in upper or lower case, with or without the dashes that screens show. */
export const transactionId = () =>
  z.string().transform(value => normaliseTransactionId(value).replaceAll('-', ''))

/** An existing calendar date, `YYYY-MM-DD`. */
export const date = (blankMessage = 'Please enter a date as YYYY-MM-DD.') =>
  text([
    required(blankMessage),
    value => {
      const parsed = new Date(`${value}T00:00:00Z`)
      const isRealDate = /^\d{4}-\d{2}-\d{2}$/.test(value) && parsed.toJSON()?.slice(0, 10) === value
      return isRealDate ? undefined : 'Please enter a date as YYYY-MM-DD.'
    },
  ])

/** A graduation date: from 1900 to today in the institution's time zone. */
export const graduationDate = () =>
  date('Graduation date is required').check(context => {
    const message = graduationDateProblem(context.value, institutionDay())
    if (message && context.issues.length === 0)
      context.issues.push({ code: 'custom', message, input: context.value })
  })

/**
 * Required text that is printed on a letter.
 * @param label the field's name in messages, such as `Grade`
 */
export const printedText = (label: string, max = 255, blankMessage = `${label} is required`) =>
  text([required(blankMessage), printable(label)], { normalise: tidyLine, max })
export const optionalPrintedText = (label: string, max = 255) =>
  text([printable(label)], { normalise: tidyLine, max })
    .nullish()
    .transform(value => value || null)
/** The name of a person or organisation. */
export const nameText = (label: string, max = 255) =>
  text([required(`${label} is required`), validName(label)], { normalise: tidyLine, max })
/** An email address printed on a letter. */
export const printedEmail = (label: string) =>
  email().check(context => {
    const message = letterTextProblem(label, context.value)
    if (message) context.issues.push({ code: 'custom', message, input: context.value })
  })

/** Required free text. */
export const requiredText = (message: string, max = 255) => text([required(message)], { max })
export const optionalText = (max = 255) =>
  text([], { max })
    .nullish()
    .transform(value => value || null)
