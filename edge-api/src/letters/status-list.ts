import type { LetterLink } from '@portal/contract/letter'
import { iso } from '../wire.ts'
import { didOf } from './did.ts'

/*
 * The status of letters for programs, as W3C Bitstring Status Lists. Letters are divided into blocks of 131,072 entries, and
 * each block has two lists. In them, a withdrawn letter is marked as revoked, and a superseded one as suspended, because a
 * correction can be undone.
 */

/**
 * Number of entries in a list: the minimum that the W3C standard requires, so that a request for a list does not reveal which
 * letter is being checked.
 */
export const LIST_LENGTH = 131_072

const purposes = ['revocation', 'suspension'] as const
export type Purpose = (typeof purposes)[number]

/** For each list, the status of letters whose bit is set. */
const statusByPurpose: Record<Purpose, LetterLink['status']> = {
  revocation: 'withdrawn',
  suspension: 'superseded',
}

/** How long clients may cache a list, in milliseconds. */
export const LIST_TTL_MS = 60_000

const listUrl = (publicUrl: string, list: number) => `${publicUrl}/api/status-lists/${list}`

/** Returns the purpose of the list with this number, and the indexes that its block contains. */
export function findStatusList(number: number): { purpose: Purpose; from: number; before: number } {
  const block = Math.floor(number / purposes.length)
  const purpose = purposes[number % purposes.length] ?? 'revocation'
  return { purpose, from: block * LIST_LENGTH, before: (block + 1) * LIST_LENGTH }
}

/** Returns the `credentialStatus` of a letter with this index. */
export function buildStatusEntries(statusIndex: number, publicUrl: string) {
  const block = Math.floor(statusIndex / LIST_LENGTH)
  const position = String(statusIndex % LIST_LENGTH)
  return purposes.map((statusPurpose, offset) => {
    const statusListCredential = listUrl(publicUrl, block * purposes.length + offset)
    return {
      id: `${statusListCredential}#${position}`,
      type: 'BitstringStatusListEntry',
      statusPurpose,
      statusListIndex: position,
      statusListCredential,
    }
  })
}

/**
 * Encodes the bits of a list, compressed and in multibase base64url. The first entry is the highest bit of the first byte.
 * @param indexes the bits that are set
 */
async function encodeList(indexes: readonly number[]): Promise<string> {
  const bits = new Uint8Array(LIST_LENGTH / 8)
  for (const position of indexes) bits[position >> 3] = (bits[position >> 3] ?? 0) | (0x80 >> (position & 7))
  const compressed = new Blob([bits]).stream().pipeThrough(new CompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(compressed).arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `u${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/**
 * Returns a status list as an unsigned credential.
 * @param statuses the statuses of the list's letters, with their indexes; letters that are certainly valid may be omitted
 */
export async function buildStatusListCredential(
  number: number,
  statuses: readonly { statusIndex: number; status: LetterLink['status'] }[],
  { publicUrl, now }: { publicUrl: string; now: number },
) {
  const { purpose, from } = findStatusList(number)
  const markedLetters = statuses.filter(({ status }) => status === statusByPurpose[purpose])
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
      encodedList: await encodeList(markedLetters.map(({ statusIndex }) => statusIndex - from)),
      ttl: LIST_TTL_MS,
    },
  }
}
