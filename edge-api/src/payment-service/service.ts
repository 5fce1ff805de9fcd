import { decide, mergeScenarios, type Point, parseScenario, type Scenario } from './scenario.ts'
import type { Db, Transaction } from './schema.ts'

/** What the composition root gives. */
export type Config = {
  /** Where browsers reach this service, without a slash at the end: `http://localhost:8081`. */
  paymentUrl: string
  /** The merchant's origin: browsers are only ever sent back there. */
  publicUrl: string
  webhookUrl: string
  /** One secret, or several separated by commas: the first signs, all are accepted, so that one can be rotated. */
  webhookSecret: string
  /** None: control calls answer 404. */
  controlToken?: string | undefined
  /** How long a `timeout` fault holds its answer, ms. */
  holdMs?: number
}

export type Clock = { now(): Date }
export type Log = (entry: Record<string, unknown>) => void

/** What control calls change; lives in memory, so a restart forgets it. */
export type ControlState = { scenario: Scenario; advancedMs: number }

/** What every part of the service is handed. */
export type Service = {
  db: Db
  config: Config
  log: Log
  control: ControlState
  faults: Faults
  webhooks: Webhooks
  /** The service's time: the clock, plus what control calls advanced it by. */
  now(): Date
}

export type Webhooks = {
  /** Sends due webhooks of one transaction, without waiting for them. */
  fire(transactionId: string): void
  /** Sends everything due and waits until it is sent. */
  deliverDue(): Promise<void>
  /** Waits for whatever is on its way. */
  idle(): Promise<void>
}

export type Faults = {
  /** All that follows, then the transaction's own, then this call's header. */
  scenarioFor(transaction: Pick<Transaction, 'scenario'> | undefined, header?: Scenario): Scenario
  /** Counts calls per point and transaction, so that alternatives take turns by the seed. */
  next<P extends Point>(scenario: Scenario, point: P, requestId: string): ReturnType<typeof decide<P>>
  reset(): void
}

export function createFaults(control: ControlState): Faults {
  const turns = new Map<string, number>()
  return {
    scenarioFor(transaction, header = {}) {
      const own = parseScenario(transaction?.scenario ?? '')
      return mergeScenarios(control.scenario, own.ok ? own.scenario : {}, header)
    },
    next(scenario, point, requestId) {
      if (!scenario[point]) return undefined
      const key = `${point}.${requestId}`
      const turn = turns.get(key) ?? 0
      turns.set(key, turn + 1)
      return decide(scenario, point, requestId, turn)
    },
    reset: () => turns.clear(),
  }
}
