import type { Requery } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { isAtGateway } from './rules.ts'
import { GATEWAY_TIMEOUT_MS } from './schedule.ts'
import type { Payment } from './store.ts'

/** Requeries the gateway, outside any transaction. @returns its answer, or undefined if there is none or it is not usable */
export async function queryGateway(ports: Ports, payment: Payment): Promise<Requery | undefined> {
  const gateway = ports.gateways[payment.provider]
  const log = (cause: string) =>
    ports.log({ level: 'warn', event: 'requery_failed', provider: payment.provider, cause })
  if (!gateway) {
    if (isAtGateway(payment)) log('no such gateway')
    return undefined
  }
  try {
    const answer = await withDeadline(signal =>
      gateway.requery(payment.providerReference, { minor: payment.amountMinor, currency: 'NGN' }, signal),
    )
    if (answer.reference === payment.providerReference) return answer
    log('returned a different reference')
  } catch (error) {
    log(error instanceof Error ? error.name : 'unknown')
  }
  return undefined
}

/** Runs `work` with a time limit. At the limit, the wait ends even if the gateway's adapter ignores the signal. */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  limitMs = GATEWAY_TIMEOUT_MS,
): Promise<T> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = new DOMException('The gateway did not respond in time.', 'TimeoutError')
      controller.abort(reason)
      reject(reason)
    }, limitMs)
  })
  try {
    return await Promise.race([work(controller.signal), timeout])
  } finally {
    clearTimeout(timer)
  }
}
