import { expect, it } from 'vitest'
import { canaryMark, isChosen } from './canary.ts'

const accounts = Array.from({ length: 2000 }, () => crypto.randomUUID())
const marksOf = (release: string) => Promise.all(accounts.map(account => canaryMark(release, account)))

it('selects the requested percentage of accounts, and keeps these accounts as the percentage grows', {
  tags: ['SHIPPING-10'],
}, async () => {
  const marks = await marksOf('r1')
  const chosen = (percent: number) => new Set(marks.filter(mark => isChosen({ percent, accounts: [] }, mark)))
  expect(chosen(0).size).toBe(0)
  expect(chosen(100).size).toBe(2000)
  // Four standard deviations for 2000 draws.
  expect(Math.abs(chosen(10).size - 200)).toBeLessThan(54)
  expect([...chosen(10)].every(mark => chosen(11).has(mark))).toBe(true)
})

it('always selects the accounts that the canary lists by pseudonym; pseudonyms differ between releases', async () => {
  const [account = '', other = ''] = accounts
  const mark = await canaryMark('r1', account)
  const named = { percent: 0, accounts: [mark] }
  expect(isChosen(named, mark)).toBe(true)
  expect(isChosen(named, await canaryMark('r1', other))).toBe(false)
  expect(await canaryMark('r2', account)).not.toBe(mark)
  expect(mark).toMatch(/^[0-9a-f]{32}$/)
})

it('selects accounts independently for each canary', async () => {
  const [first, second] = await Promise.all([marksOf('r1'), marksOf('r2')])
  const half = { percent: 50, accounts: [] }
  const inBoth = first.filter((mark, index) => isChosen(half, mark) && isChosen(half, second[index] ?? ''))
  expect(Math.abs(inBoth.length - 500)).toBeLessThan(80)
})
