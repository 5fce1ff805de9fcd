import { demoOrganisation } from '@portal/fixtures/organisations'
import { expect, test } from 'vitest'
import { settingDefaults } from '../settings/rules.ts'
import { drawStatementPdf } from './documents.ts'

const at = Date.parse('2026-10-02T09:00:00Z')

/** Returns the number of pages of a statement with this many movements. */
async function countPages(movements: number): Promise<number> {
  const pdf = await drawStatementPdf({
    organisation: { name: demoOrganisation.name, address: demoOrganisation.name },
    statement: {
      month: '2026-10',
      opening: 0,
      credits: 0,
      debits: 0,
      closing: 0,
      currency: 'NGN',
      final: true,
    },
    lines: Array.from({ length: movements }, (_, index) => ({
      at,
      description: `Verification UG/2015/${index}`,
      amountMinor: -500_000,
      balanceAfterMinor: 0,
    })),
    institution: settingDefaults.institution,
    at,
  })
  return Number(/\/Count (\d+)/.exec(new TextDecoder('latin1').decode(pdf))?.[1])
}

test('a long statement has several pages', async () => {
  expect(await countPages(0)).toBe(1)
  expect(await countPages(40)).toBe(2)
  expect(await countPages(100)).toBe(4)
})
