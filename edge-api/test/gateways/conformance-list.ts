import { describe, expect, test } from 'vitest'
import type { GatewayTransaction, PaymentGateway } from '../../src/payment-gateway.ts'
import { buildOrder, type Candidate, catchError, createHangGuard, NOW, openPage } from './candidate.ts'
import type { FakeGateway, Fault } from './fake-server.ts'

/**
 * Defines the tests of the list of payments, for reconciliation: the list must report the same about a payment as a requery.
 */
export function describeList<Fake extends FakeGateway>(
  { name, approvedStatus, otherOutcomes }: Candidate<Fake>,
  setup: { fake: () => Fake; gateway: () => PaymentGateway },
): void {
  const HOUR = 3_600_000
  const references = Array.from({ length: 5 }, (_, index) => `CVLIST00000000${index}`)

  async function readAll(from = NOW - HOUR, to = NOW + HOUR): Promise<GatewayTransaction[]> {
    const gateway = setup.gateway()
    const items: GatewayTransaction[] = []
    let cursor: string | undefined
    for (let page = 0; page < 10; page++) {
      const response = await gateway.list?.(new Date(from), new Date(to), cursor, createHangGuard())
      items.push(...(response?.items ?? []))
      cursor = response?.nextCursor
      if (cursor === undefined) return items
    }
    throw new Error('the list does not end')
  }

  async function startFivePayments(): Promise<void> {
    for (const reference of references) {
      await openPage(await setup.gateway().initiate(buildOrder(500_010, reference), createHangGuard()))
    }
  }

  describe(`${name}: list`, () => {
    test('contains every payment of the period exactly once', async () => {
      await startFivePayments()
      const listed = (await readAll()).map(({ reference }) => reference)
      expect(listed.toSorted()).toEqual(references)
    })

    test('contains no payment of another period', async () => {
      await startFivePayments()
      expect(await readAll(NOW + HOUR, NOW + 2 * HOUR)).toEqual([])
      expect(await readAll(NOW - 2 * HOUR, NOW - HOUR)).toEqual([])
    })

    test('reports the same as a requery for each payment: outcome, exact amount, currency, mode and ID', async () => {
      await startFivePayments()
      const outcomes = [approvedStatus, ...otherOutcomes.map(([finalStatus]) => finalStatus)].slice(
        0,
        references.length,
      )
      outcomes.forEach((end, index) => {
        setup.fake().endPayment(references[index] ?? '', end)
      })
      for (const item of await readAll()) {
        const order = buildOrder(500_010, item.reference)
        const requery = await setup.gateway().requery(item.reference, order.amount, createHangGuard())
        const { outcome, amountPaid, feeMinor, mode, providerTxnId } = requery
        expect(item).toEqual({
          reference: item.reference,
          outcome,
          mode,
          providerTxnId,
          ...(amountPaid && { amountPaid }),
          ...(feeMinor !== undefined && { feeMinor }),
        })
      }
    })

    test.each<Fault>([
      '400',
      '404 page',
      '429',
      '500',
      'html',
      'truncated',
      'empty object',
      'huge',
      'redirect',
      'closed',
    ])('rejects the response of the fault "%s"', async fault => {
      await startFivePayments()
      setup.fake().server.fault = fault
      expect(await catchError(readAll())).toBeInstanceOf(Error)
    })

    test('aborts a request without a response when its signal fires', async () => {
      setup.fake().server.fault = 'hang'
      const gateway = setup.gateway()
      const reading = gateway.list?.(new Date(NOW), new Date(NOW), undefined, AbortSignal.timeout(200))
      expect(await catchError(Promise.resolve(reading))).toMatchObject({ name: 'TimeoutError' })
    })
  })
}
