import type { LetterLink } from '@portal/contract/letter'
import { iso } from '../wire.ts'
import { didOf } from './did.ts'

/*
 * Letter status for programs: W3C Bitstring Status Lists. Letters are assigned to blocks of 131,072, each with two lists:
 * withdrawn letters are revoked permanently; superseded ones are suspended, because a correction can be undone.
 */

/** Entries of a list, the minimum of the W3C: large enough that a request does not reveal which letter is checked. */
export const LIST_LENGTH = 131_072

const purposes = ['revocation', 'suspension'] as const
export type Purpose = (typeof purposes)[number]

/** The statuses that set the bit of a list. */
const bitOf: Record<Purpose, LetterLink['status']> = { revocation: 'withdrawn', suspension: 'superseded' }

/** How long clients may cache a list, in milliseconds. */
export const LIST_TTL = 60_000

const listUrl = (publicUrl: string, list: number) => `${publicUrl}/api/status-lists/${list}`

/** A list by its number: its block of letters, and the meaning of its bits. */
export function listOf(number: number): { purpose: Purpose; from: number; before: number } {
  const block = Math.floor(number / purposes.length)
  const purpose = purposes[number % purposes.length] ?? 'revocation'
  return { purpose, from: block * LIST_LENGTH, before: (block + 1) * LIST_LENGTH }
}

/** The `credentialStatus` of a letter with this place. */
export function statusEntries(statusIndex: number, publicUrl: string) {
  const block = Math.floor(statusIndex / LIST_LENGTH)
  const place = String(statusIndex % LIST_LENGTH)
  return purposes.map((statusPurpose, at) => {
    const statusListCredential = listUrl(publicUrl, block * purposes.length + at)
    return {
      id: `${statusListCredential}#${place}`,
      type: 'BitstringStatusListEntry',
      statusPurpose,
      statusListIndex: place,
      statusListCredential,
    }
  })
}

/** The bits of a list, the first being the highest of the first byte, compressed and in multibase base64url. */
async function encodedList(places: readonly number[]): Promise<string> {
  const bits = new Uint8Array(LIST_LENGTH / 8)
  for (const place of places) bits[place >> 3] = (bits[place >> 3] ?? 0) | (0x80 >> (place & 7))
  const packed = new Blob([bits]).stream().pipeThrough(new CompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `u${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/**
 * A status list as a credential, before it is signed.
 * @param statuses of the letters that may not be valid, by their places
 */
export async function statusListCredential(
  number: number,
  statuses: readonly { statusIndex: number; status: LetterLink['status'] }[],
  { publicUrl, now }: { publicUrl: string; now: number },
) {
  const { purpose, from } = listOf(number)
  const set = statuses.filter(({ status }) => status === bitOf[purpose])
  const id = listUrl(publicUrl, number)
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: didOf(publicUrl),
    validFrom: iso(now),
    credentialSubject: {
      id: `${id}#list`,
      type: 'BitstringStatusList',
      statusPurpose: purpose,
      encodedList: await encodedList(set.map(({ statusIndex }) => statusIndex - from)),
      ttl: LIST_TTL,
    },
  }
}
