import './zod-setup.ts'
import * as z from 'zod'
import { letterCode, letterLink } from './letter.ts'
import { route } from './route.ts'

/** Actions that only the letter holder can take. */
export const letterHolder = {
  reissue: route({
    method: 'POST',
    path: '/verification/letters/{code}/reissue',
    access: 'user',
    summary:
      "Issue the corrected letter in place of one of the caller's superseded ones, free of charge. Repeated calls return the same letter.",
    params: z.object({ code: letterCode() }),
    reply: z.object({ message: z.string(), letter: letterLink }),
    refusals: ['LETTER_WITHDRAWN', 'LETTER_NOT_PRINTABLE'],
  }),
}
