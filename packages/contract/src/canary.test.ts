import { expect, it } from 'vitest'
import { canaryMark, isChosen } from './canary.ts'

const accounts = Array.from({ length: 2000 }, () => crypto.randomUUID())
const computeMarks = (release: string) => Promise.all(accounts.map(account => canaryMark(release, account)))

it('selects the requested percentage of accounts, and keeps these accounts as the percentage grows', {
  tags: ['SHIPPING-10'],
}, async () => {
  const marks = await computeMarks('r1')
  const selectMarks = (percent: number) =>
    new Set(marks.filter(mark => isChosen({ percent, accounts: [] }, mark)))
  expect(selectMarks(0).size).toBe(0)
  expect(selectMarks(100).size).toBe(2000)
  // Four standard deviations for 2000 draws.
  expect(Math.abs(selectMarks(10).size - 200)).toBeLessThan(54)
  expect([...selectMarks(10)].every(mark => selectMarks(11).has(mark))).toBe(true)
})

it('always selects the accounts that the canary lists by pseudonym; pseudonyms differ between releases', async () => {
  const [account = '', otherAccount = ''] = accounts
  const mark = await canaryMark('r1', account)
  const canary = { percent: 0, accounts: [mark] }
  expect(isChosen(canary, mark)).toBe(true)
  expect(isChosen(canary, await canaryMark('r1', otherAccount))).toBe(false)
  expect(await canaryMark('r2', account)).not.toBe(mark)
  expect(mark).toMatch(/^[0-9a-f]{32}$/)
})

it('selects accounts independently for each canary', async () => {
  const [first, second] = await Promise.all([computeMarks('r1'), computeMarks('r2')])
  const half = { percent: 50, accounts: [] }
  const inBoth = first.filter((mark, index) => isChosen(half, mark) && isChosen(half, second[index] ?? ''))
  expect(Math.abs(inBoth.length - 500)).toBeLessThan(80)
})
