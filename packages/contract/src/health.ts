import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { timestamp } from './shapes.ts'

const part = z.object({
  status: z.enum(['healthy', 'warning', 'error', 'unknown']),
  latency_ms: z.number().nullable(),
})

/** State of the newest backup: `warning` if it is older than two backup intervals, `unknown` before the first backup. */
const backup = part.extend({ at: timestamp.nullable() })

export const health = {
  alive: route({
    method: 'GET',
    path: '/health',
    access: 'public',
    summary: 'The service is alive.',
    reply: z.object({ status: z.literal('ok'), time: timestamp }),
  }),
  ready: route({
    method: 'GET',
    path: '/health/ready',
    access: 'public',
    summary:
      'Current status and latency of each component. Returns 503 with the same fields while the database has an error.',
    reply: z.object({
      status: z.enum(['ok', 'degraded']),
      parts: z.object({ database: part, gateway: part, mail: part, backup }),
    }),
  }),
}
