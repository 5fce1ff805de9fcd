import './zod-setup.ts'
import * as z from 'zod'
import { email, optionalText, transactionId } from './fields.ts'
import { letterCheck, letterCode } from './letter.ts'
import { invisibleProblem, linkProblem } from './printable-text.ts'
import { route } from './route.ts'
import { message } from './shapes.ts'

/** Maximum size in bytes of a file to check. */
export const CHECK_FILE_MAX = 5 * 1024 * 1024

/** The last segment of a path: a letter's code, with or without the file extension. */
const codeOfFile = (extension: string) =>
  z.object({
    code: z
      .string()
      .transform(value =>
        value.toLowerCase().endsWith(extension) ? value.slice(0, -extension.length) : value,
      )
      .pipe(letterCode()),
  })

/**
 * `genuine`: signed by the institution and unchanged, regardless of the letter's current status; `altered`: changed after
 * signing; `not_ours`: not signed by the institution; `unreadable`: neither a PDF nor a credential.
 */
export const fileResults = ['genuine', 'altered', 'not_ours', 'unreadable'] as const

/** Result of checking a file's content, as opposed to the letter's current status in the register. */
export const fileCheck = z.object({
  result: z.enum(fileResults),
  /** The result as a sentence. */
  message: z.string(),
  kind: z.enum(['pdf', 'credential']).nullable(),
  /** Details of the signature, for genuine and altered files. */
  signature: z
    .object({
      /** The institution that owns the signing key. */
      signer: z.string(),
      key_id: z.string(),
      algorithm: z.string(),
      /** SHA-256 of the signer's X.509 certificate in hexadecimal; null for a credential. */
      certificate_fingerprint: z.string().nullable(),
      /** False if the file has bytes outside the signed ranges. */
      covers_whole_file: z.boolean(),
    })
    .nullable(),
  /** The letter with its current status, for a genuine file. */
  letter: letterCheck.nullable(),
})
export type FileCheck = z.infer<typeof fileCheck>

const ADDRESS_MESSAGE = 'Please leave web addresses out of the message.'
const INVISIBLE_MESSAGE = 'Please leave invisible characters out of the message.'

/**
 * Routes for downloading a letter as PDF or credential, for checking such a file, and for sharing a letter. Their paths must
 * come before `/letters/{code}`.
 */
export const letterFiles = {
  pdf: route({
    method: 'GET',
    path: '/letters/{code}.pdf',
    access: 'public',
    summary: 'The letter as a signed PDF (PAdES), with the credential attached.',
    params: codeOfFile('.pdf'),
    reply: z.string(),
    media: ['application/pdf'],
  }),
  credential: route({
    method: 'GET',
    path: '/letters/{code}.jwt',
    access: 'public',
    summary: 'The letter as a verifiable credential (W3C VC 2.0, secured with JOSE).',
    params: codeOfFile('.jwt'),
    reply: z.string(),
    media: ['application/vc+jwt'],
  }),
  openBadge: route({
    method: 'GET',
    path: '/letters/{code}.ob3',
    access: 'public',
    summary: 'The facts of the letter as an Open Badges 3.0 credential, as a JWT.',
    params: codeOfFile('.ob3'),
    reply: z.string(),
    media: ['application/jwt'],
  }),
  checkFile: route({
    method: 'POST',
    path: '/letters/check-file',
    access: 'public',
    summary: 'Check the signature and content of a PDF letter or a credential; at most 5 MB.',
    multipart: 'file',
    reply: fileCheck,
  }),
  checkCredential: route({
    method: 'POST',
    path: '/letters/check-credential',
    access: 'public',
    summary: 'Check the signature and content of a credential sent as text.',
    body: z.object({ credential: z.string('Please paste a credential.').trim().min(1).max(20_000) }),
    reply: fileCheck,
  }),
  email: route({
    method: 'POST',
    path: '/verification/letters/{code}/email',
    access: 'user',
    summary: "Email a link to one of the caller's letters to a colleague.",
    params: z.object({ code: letterCode() }),
    body: z.object({
      email: email('Email address is required'),
      message: optionalText(500)
        .refine(text => linkProblem('', text ?? '') === undefined, ADDRESS_MESSAGE)
        .refine(text => invisibleProblem('', text ?? '') === undefined, INVISIBLE_MESSAGE),
    }),
    reply: message,
    refusals: ['LETTER_WITHDRAWN'],
  }),
  zip: route({
    method: 'GET',
    path: '/verification/letters/zip/{transaction_id}',
    access: 'user',
    summary: "All letters of one of the caller's payments as PDFs in a ZIP file.",
    params: z.object({ transaction_id: transactionId() }),
    reply: z.string(),
    media: ['application/zip'],
  }),
}
