import '../../../packages/contract/src/zod-setup.ts'
import * as z from 'zod'
import { route } from '../../../packages/contract/src/route.ts'

export const sampleDomain = {
  sampleCall: route({
    method: 'GET',
    path: '/sample-domain/sample-call',
    access: 'user',
    summary: 'Counts the paid payments of the caller.',
    reply: z.object({ total: z.int() }),
  }),
}
