/**
 * Simulated faults: `initiate:timeout|500&webhook:dup&amount:-1&seed:7`. Alternatives are separated by `|`. Each call chooses
 * one of them, depending on the seed, so that a run can be repeated. The alternative `ok` means "no fault this time".
 */

const choices = {
  initiate: ['timeout', '500', 'ok'],
  webhook: ['dup', 'late', 'reorder', 'drop', 'badsig', 'ok'],
  requery: ['timeout', '500', 'html', 'stale', 'notfound', 'ok'],
  amount: ['-1', '+1', 'x100', 'ok'],
} as const

/** A point at which a fault can be injected: a kind of call, or the reported amount. */
export type Point = keyof typeof choices
export type Fault<P extends Point> = (typeof choices)[P][number]
export type Scenario = { [P in Point]?: readonly Fault<P>[] } & { currency?: string; seed?: number }

export type ParsedScenario = { ok: true; scenario: Scenario } | { ok: false; error: string }

/** Parses a scenario. The empty string means no faults. */
export function parseScenario(text: string): ParsedScenario {
  const scenario: Scenario = {}
  for (const part of text.trim().split('&')) {
    if (part === '') continue
    const colon = part.indexOf(':')
    const key = part.slice(0, colon)
    const values = part.slice(colon + 1).split('|')
    const problem = colon < 0 ? `"${part}" has no value` : readPart(scenario, key, values)
    if (problem) return { ok: false, error: problem }
  }
  return { ok: true, scenario }
}

function readPart(scenario: Scenario, key: string, values: string[]): string | undefined {
  const value = values[0] ?? ''
  if (key === 'seed') {
    if (!/^\d{1,9}$/.test(value)) return 'seed takes a whole number'
    scenario.seed = Number(value)
    return undefined
  }
  if (key === 'currency') {
    if (!/^[A-Z]{3}$/.test(value)) return 'currency takes three capital letters'
    scenario.currency = value
    return undefined
  }
  if (!isPoint(key)) return `"${key}" is not one of ${Object.keys(choices).join(', ')}, currency, seed`
  const allowed: readonly string[] = choices[key]
  const unknown = values.find(item => !allowed.includes(item))
  if (unknown !== undefined) return `${key} takes ${allowed.join(', ')}; not "${unknown}"`
  Object.assign(scenario, { [key]: values })
  return undefined
}

function isPoint(key: string): key is Point {
  return Object.hasOwn(choices, key)
}

/**
 * Merges scenarios. A later one overrides the points that it names. The order is: the scenario for all calls, the
 * transaction's, and then this call's.
 */
export function mergeScenarios(...scenarios: Scenario[]): Scenario {
  return Object.assign({}, ...scenarios)
}

/**
 * Returns the fault for a transaction's call at a point, or undefined if there is none. `callIndex` counts these calls from 0.
 * The same arguments always give the same result.
 */
export function chooseFault<P extends Point>(
  scenario: Scenario,
  point: P,
  transaction: string,
  callIndex: number,
): Exclude<Fault<P>, 'ok'> | undefined {
  const alternatives: readonly Fault<P>[] | undefined = scenario[point]
  if (!alternatives || alternatives.length === 0) return undefined
  const chosen =
    alternatives[hash(`${scenario.seed ?? 0}.${point}.${transaction}.${callIndex}`) % alternatives.length]
  return isFault(chosen) ? chosen : undefined
}

function isFault<P extends Point>(value: Fault<P> | undefined): value is Exclude<Fault<P>, 'ok'> {
  return value !== undefined && value !== 'ok'
}

/** Returns an FNV-1a hash with a final mix. It needs little code, and gives the same result on every runtime. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  return (value ^ (value >>> 16)) >>> 0
}

/**
 * Returns the amount (in minor units) and currency that are reported as paid, according to the faults `amount:` and
 * `currency:`.
 */
export function resolveReportedMoney(
  scenario: Scenario,
  transaction: string,
  paid: { minor: number; currency: string },
): { minor: number; currency: string } {
  const fault = paid.minor > 0 ? chooseFault(scenario, 'amount', transaction, 0) : undefined
  const minor =
    fault === 'x100' ? paid.minor * 100 : paid.minor + (fault === '+1' ? 1 : fault === '-1' ? -1 : 0)
  return { minor, currency: scenario.currency ?? paid.currency }
}
