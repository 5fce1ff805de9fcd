// Routes below `/api` that are not part of the contract, described like those of the contract. Gateways, browsers and
// collectors of metrics call them.
import * as z from 'zod'

const publicRoute = { access: /** @type {const} */ ('public'), summary: '' }

export const extraRoutes = {
  webhook: {
    ...publicRoute,
    method: 'POST',
    path: '/payments/webhooks/{provider}',
    params: z.object({ provider: z.enum(['sandbox', 'paystack', 'interswitch', 'unknown']) }),
    body: z.object({ event_id: z.string(), request_id: z.string(), status: z.string() }),
    reply: z.object({ received: z.literal(true) }),
  },
  returned: {
    ...publicRoute,
    method: 'GET',
    path: '/payments/return',
    query: z.object({ request_id: z.string().optional() }),
    reply: z.string(),
    media: ['text/html'],
  },
  statusList: {
    ...publicRoute,
    method: 'GET',
    path: '/status-lists/{number}',
    params: z.object({ number: z.enum(['1', '999999', '0', '01']) }),
    reply: z.string(),
    media: ['application/vc+jwt'],
  },
  vocabulary: { ...publicRoute, method: 'GET', path: '/vocabulary', reply: z.string(), media: ['text/html'] },
  metrics: { ...publicRoute, method: 'GET', path: '/metrics', reply: z.string(), media: ['text/plain'] },
}
