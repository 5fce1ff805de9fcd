import { chooseFault, mergeScenarios, type Point, parseScenario, type Scenario } from './scenario.ts'
import type { Db, Transaction } from './schema.ts'

/** Settings that the entry point provides. */
export type Config = {
  /** URL at which browsers reach this service, without a trailing slash: `http://localhost:8081`. */
  paymentUrl: string
  /** The merchant's origin. Browsers are redirected only there (see `isAllowedReturnUrl`). */
  publicUrl: string
  webhookUrl: string
  /** One secret, or several separated by commas, so that one can be rotated: the first signs, and all are accepted. */
  webhookSecret: string
  /** Token for control calls; without one, they return 404. */
  controlToken?: string | undefined
  /** How long a `timeout` fault delays its response, in milliseconds. */
  holdMs?: number
}

export type Clock = { now(): Date }
export type Log = (entry: Record<string, unknown>) => void

/** State set by control calls. It is kept in memory, so a restart clears it. */
export type ControlState = { scenario: Scenario; advancedMs: number }

/** The dependencies that all modules of the service share. */
export type Service = {
  db: Db
  config: Config
  log: Log
  control: ControlState
  faults: Faults
  webhooks: Webhooks
  /** Returns the service's time: that of the clock, plus the offset set by control calls. */
  now(): Date
}

export type Webhooks = {
  /** Starts sending the due webhooks of one transaction, without waiting for them. */
  deliverSoon(transactionId: string): void
  /** Sends all due webhooks, and waits until they have been sent. */
  deliverDue(): Promise<void>
  /** Waits for all webhooks that are being sent. */
  idle(): Promise<void>
}

export type Faults = {
  /** Merges the scenario of all calls, the transaction's, and that of this call's header; each overrides those before it. */
  scenarioFor(transaction: Pick<Transaction, 'scenario'> | undefined, header?: Scenario): Scenario
  /**
   * Counts the calls for each point and transaction, and returns the fault of this one, so that each call can get a different
   * alternative.
   */
  nextFault<P extends Point>(
    scenario: Scenario,
    point: P,
    requestId: string,
  ): ReturnType<typeof chooseFault<P>>
  reset(): void
}

export function createFaults(control: ControlState): Faults {
  const callCounts = new Map<string, number>()
  return {
    scenarioFor(transaction, header = {}) {
      const ownScenario = parseScenario(transaction?.scenario ?? '')
      return mergeScenarios(control.scenario, ownScenario.ok ? ownScenario.scenario : {}, header)
    },
    nextFault(scenario, point, requestId) {
      if (!scenario[point]) return undefined
      const key = `${point}.${requestId}`
      const callIndex = callCounts.get(key) ?? 0
      callCounts.set(key, callIndex + 1)
      return chooseFault(scenario, point, requestId, callIndex)
    },
    reset: () => callCounts.clear(),
  }
}
