import { decide, mergeScenarios, type Point, parseScenario, type Scenario } from './scenario.ts'
import type { Db, Transaction } from './schema.ts'

/** Dependencies that the composition root provides. */
export type Config = {
  /** Where browsers reach this service, without a trailing slash: `http://localhost:8081`. */
  paymentUrl: string
  /** The merchant's origin: browsers are only redirected there. */
  publicUrl: string
  webhookUrl: string
  /** One secret, or several separated by commas: the first signs, all are accepted, so that one can be rotated. */
  webhookSecret: string
  /** Token for control calls; without one, they return 404. */
  controlToken?: string | undefined
  /** How long a `timeout` fault holds its response, ms. */
  holdMs?: number
}

export type Clock = { now(): Date }
export type Log = (entry: Record<string, unknown>) => void

/** State of control calls; in memory, so a restart clears it. */
export type ControlState = { scenario: Scenario; advancedMs: number }

/** Passed to every part of the service. */
export type Service = {
  db: Db
  config: Config
  log: Log
  control: ControlState
  faults: Faults
  webhooks: Webhooks
  /** The service's time: the clock, plus the offset of control calls. */
  now(): Date
}

export type Webhooks = {
  /** Sends due webhooks of one transaction, without waiting for them. */
  fire(transactionId: string): void
  /** Sends everything due and waits until it is sent. */
  deliverDue(): Promise<void>
  /** Waits for everything being sent. */
  idle(): Promise<void>
}

export type Faults = {
  /**
   * Merges the scenario of all calls, the transaction's and that of this call's header; later ones override earlier ones.
   */
  scenarioFor(transaction: Pick<Transaction, 'scenario'> | undefined, header?: Scenario): Scenario
  /** Counts calls per point and transaction, so that the seed chooses among alternatives. */
  next<P extends Point>(scenario: Scenario, point: P, requestId: string): ReturnType<typeof decide<P>>
  reset(): void
}

export function createFaults(control: ControlState): Faults {
  const callCounts = new Map<string, number>()
  return {
    scenarioFor(transaction, header = {}) {
      const ownScenario = parseScenario(transaction?.scenario ?? '')
      return mergeScenarios(control.scenario, ownScenario.ok ? ownScenario.scenario : {}, header)
    },
    next(scenario, point, requestId) {
      if (!scenario[point]) return undefined
      const key = `${point}.${requestId}`
      const callIndex = callCounts.get(key) ?? 0
      callCounts.set(key, callIndex + 1)
      return decide(scenario, point, requestId, callIndex)
    },
    reset: () => callCounts.clear(),
  }
}
