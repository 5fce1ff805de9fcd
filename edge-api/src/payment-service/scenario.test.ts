import { describe, expect, it } from 'vitest'
import {
  chooseFault,
  mergeScenarios,
  parseScenario,
  resolveReportedMoney,
  type Scenario,
} from './scenario.ts'

function parseValid(text: string): Scenario {
  const parsed = parseScenario(text)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.scenario
}

describe('scenario', () => {
  it('is parsed with all of its parts', () => {
    expect(
      parseValid('initiate:timeout&webhook:dup|late&requery:500|html&amount:+1&currency:USD&seed:42'),
    ).toEqual({
      initiate: ['timeout'],
      webhook: ['dup', 'late'],
      requery: ['500', 'html'],
      amount: ['+1'],
      currency: 'USD',
      seed: 42,
    })
    expect(parseValid('')).toEqual({})
  })

  it.each(['requery', 'requery:slow', 'refund:500', 'seed:x', 'currency:usd', '__proto__:x', 'amount:2'])(
    'is refused if it is %s, with a reason',
    text => {
      expect(parseScenario(text)).toMatchObject({ ok: false, error: expect.stringMatching(/\w/) })
    },
  )

  it('uses the seed to choose among alternatives, with the same choice each time', () => {
    const draw = (seed: number) =>
      Array.from({ length: 40 }, (_, turn) =>
        chooseFault(parseValid(`requery:500|html|stale&seed:${seed}`), 'requery', 'R1', turn),
      )
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
    expect(new Set(draw(1))).toEqual(new Set(['500', 'html', 'stale']))
  })

  it('injects no fault if the chosen alternative is "ok"', () => {
    expect(chooseFault(parseValid('requery:ok'), 'requery', 'R1', 0)).toBeUndefined()
    expect(chooseFault({}, 'requery', 'R1', 0)).toBeUndefined()
  })

  it('overrides the parts of an earlier scenario that it also sets', () => {
    expect(mergeScenarios(parseValid('webhook:drop&seed:1'), parseValid('webhook:dup'))).toEqual(
      parseValid('webhook:dup&seed:1'),
    )
  })

  it.each([
    ['amount:-1', 499_999, 'NGN'],
    ['amount:+1', 500_001, 'NGN'],
    ['amount:x100', 50_000_000, 'NGN'],
    ['currency:USD', 500_000, 'USD'],
    ['', 500_000, 'NGN'],
  ])('with %s reports the amount %d %s', (text, minor, currency) => {
    expect(resolveReportedMoney(parseValid(text), 'R1', { minor: 500_000, currency: 'NGN' })).toEqual({
      minor,
      currency,
    })
  })

  it('leaves an amount of zero unchanged', () => {
    expect(resolveReportedMoney(parseValid('amount:+1'), 'R1', { minor: 0, currency: 'NGN' }).minor).toBe(0)
  })
})
