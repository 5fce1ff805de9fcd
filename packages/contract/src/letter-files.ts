import './zod-setup.ts'
import * as z from 'zod'
import { email, optionalText, transactionId } from './fields.ts'
import { letterCheck, letterCode } from './letter.ts'
import { linkProblem, unseenProblem } from './letter-text.ts'
import { route } from './route.ts'
import { message } from './shapes.ts'

/** Largest file that `checkFile` takes, in bytes. */
export const CHECK_FILE_MAX = 5 * 1024 * 1024

/** A letter's code at the end of a path with a file's ending, which servers may or may not have taken off. */
const codeOfFile = (ending: string) =>
  z.object({
    code: z
      .string()
      .transform(value => (value.toLowerCase().endsWith(ending) ? value.slice(0, -ending.length) : value))
      .pipe(letterCode()),
  })

/**
 * `genuine`: signed by the institution and unchanged since, which says nothing of whether it still stands; `altered`: changed
 * after it was signed; `not_ours`: no signature of the institution; `unreadable`: neither a PDF nor a credential.
 */
export const fileResults = ['genuine', 'altered', 'not_ours', 'unreadable'] as const

/** What the file itself says, beside what the register says of its letter now. */
export const fileCheck = z.object({
  result: z.enum(fileResults),
  /** The same in a sentence. */
  message: z.string(),
  kind: z.enum(['pdf', 'credential']).nullable(),
  /** Of a genuine or altered file. */
  signature: z
    .object({
      /** The institution whose key it is. */
      signer: z.string(),
      key_id: z.string(),
      algorithm: z.string(),
      /** The SHA-256 of the signer's X.509 certificate in hexadecimal; a credential has none. */
      certificate_fingerprint: z.string().nullable(),
      /** False when bytes of the file stand outside what was signed. */
      covers_whole_file: z.boolean(),
    })
    .nullable(),
  /** The letter of a genuine file, as it stands now. */
  letter: letterCheck.nullable(),
})
export type FileCheck = z.infer<typeof fileCheck>

const noAddress = 'Please leave web addresses out of the message.'
const noUnseen = 'Please leave invisible characters out of the message.'

/** A letter as PDF and credential, the check of either, and how its holder hands it on. Paths before `/letters/{code}`. */
export const letterFiles = {
  pdf: route({
    method: 'GET',
    path: '/letters/{code}.pdf',
    access: 'public',
    summary: 'The letter as a signed PDF (PAdES), the credential attached.',
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
    summary: 'Check the signature and content of a letter as PDF, or of a credential, of at most 5 MB.',
    multipart: 'file',
    reply: fileCheck,
  }),
  checkCredential: route({
    method: 'POST',
    path: '/letters/check-credential',
    access: 'public',
    summary: 'The same for a credential as text.',
    body: z.object({ credential: z.string('Please paste a credential.').trim().min(1).max(20_000) }),
    reply: fileCheck,
  }),
  email: route({
    method: 'POST',
    path: '/verification/letters/{code}/email',
    access: 'user',
    summary: 'Mail the address of a letter of one’s own to a colleague.',
    params: z.object({ code: letterCode() }),
    body: z.object({
      email: email('Email address is required'),
      message: optionalText(500)
        .refine(text => linkProblem('', text ?? '') === undefined, noAddress)
        .refine(text => unseenProblem('', text ?? '') === undefined, noUnseen),
    }),
    reply: message,
    refusals: ['LETTER_WITHDRAWN'],
  }),
  zip: route({
    method: 'GET',
    path: '/verification/letters/zip/{transaction_id}',
    access: 'user',
    summary: 'All letters of a payment of one’s own as PDFs in a ZIP file.',
    params: z.object({ transaction_id: transactionId() }),
    reply: z.string(),
    media: ['application/zip'],
  }),
}
