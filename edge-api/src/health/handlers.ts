import type { health } from '@portal/contract/health'
import type { Call, HandlersOf } from '../serve.ts'

/** How long one part may take to answer before it counts as failed, in milliseconds. */
const PART_TIMEOUT = 3000

type Part = { status: 'healthy' | 'error'; latency_ms: number | null }

async function measure(check: (signal: AbortSignal) => Promise<unknown>): Promise<Part> {
  const started = performance.now()
  const signal = AbortSignal.timeout(PART_TIMEOUT)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    await Promise.race([check(signal), late])
    return { status: 'healthy', latency_ms: Math.round((performance.now() - started) * 10) / 10 }
  } catch {
    return { status: 'error', latency_ms: null }
  }
}

async function ready({ db, ports }: Call<(typeof health)['ready']>) {
  const gateway = ports.gateways[ports.environment.PAYMENT_PROVIDER]
  const [database, payments, mail] = await Promise.all([
    measure(() => db.client.execute('select 1')),
    measure(async signal => {
      if (!gateway) throw new Error('no gateway')
      await gateway.check(signal)
    }),
    measure(() => ports.mailer.check()),
  ])
  const parts = { database, gateway: payments, mail }
  const healthy = Object.values(parts).every(part => part.status === 'healthy')
  return { status: healthy ? ('ok' as const) : ('degraded' as const), parts }
}

export const healthHandlers: HandlersOf<typeof health> = {
  alive: async ({ ports }) => ({ status: 'ok' as const, time: new Date(ports.clock.now()).toISOString() }),
  ready,
}
