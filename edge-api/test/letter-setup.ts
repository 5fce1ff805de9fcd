import { type FoundLetter, findLetter } from '../src/letters/store.ts'
import { syncWithGateway } from '../src/payments/sync.ts'
import type { TestSetup } from './payment-setup.ts'

/** Pays for a verification, and returns the letter that was issued. */
export async function issueLetter(setup: TestSetup): Promise<FoundLetter> {
  const { reference, number } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  const { items, letters } = await setup.readRows()
  const item = items.find(({ certificateNumber }) => certificateNumber === number)
  const row = letters.find(({ paymentItemId }) => paymentItemId === item?.id)
  const found = await findLetter(setup.database.read, { code: row?.code ?? '' })
  if (!found) throw new Error('no letter was issued')
  return found
}

/**
 * Returns the position of a PDF's signature (start and end of its hexadecimal digits), and its CMS without the trailing zeros.
 */
export function findSignature(pdf: Uint8Array): { start: number; end: number; cms: Buffer } {
  const text = Buffer.from(pdf).toString('latin1')
  const start = text.indexOf('/Contents<', text.indexOf('/PortalLetter(')) + '/Contents<'.length
  const end = text.indexOf('>', start)
  const space = Buffer.from(text.slice(start, end), 'hex')
  return { start, end, cms: space.subarray(0, 4 + space.readUInt16BE(2)) }
}

/** Returns the PDF with its signature replaced by `digits`, padded or cut to the same length. */
export function replaceSignature(pdf: Uint8Array, hexDigits: string): Uint8Array<ArrayBuffer> {
  const { start, end } = findSignature(pdf)
  const changed = Uint8Array.from(pdf)
  changed.set(Buffer.from(hexDigits.padEnd(end - start, '0').slice(0, end - start), 'latin1'), start)
  return changed
}
