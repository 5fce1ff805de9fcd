import { endpoint } from '@portal/api/endpoint'
import type { letterFiles } from '@portal/contract/letter-files'
import type { letterHolder } from '@portal/contract/letter-holder'

/* Calls about letters without their schemas, for the reason given in `endpoints.ts`. */

export const reissueLetter = endpoint<(typeof letterHolder)['reissue']>(
  'POST',
  '/verification/letters/{code}/reissue',
)
export const lettersZip = endpoint<(typeof letterFiles)['zip']>(
  'GET',
  '/verification/letters/zip/{transaction_id}',
)
