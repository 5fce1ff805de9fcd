import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { describe, expect, it } from 'vitest'
import { testCards } from './cards.ts'
import { goodCard, initiate, openCheckout, pay, startHarness } from './test-harness.ts'

async function readAllValues(file: string): Promise<string[]> {
  const client = createClient({ url: `file:${file}` })
  try {
    const values: string[] = []
    for (const table of ['transactions', 'checkout_sessions', 'deliveries']) {
      const { rows } = await client.execute(`SELECT * FROM ${table}`)
      expect(rows.length).toBeGreaterThan(0)
      values.push(...rows.flatMap(row => Object.values(row).map(String)))
    }
    return values
  } finally {
    client.close()
  }
}

describe('privacy', () => {
  it('keeps card numbers, security codes, passwords, names and tokens out of logs and database', {
    tags: ['QUALITY-36', 'INVARIANT-8'],
  }, async () => {
    const h = await startHarness()
    try {
      const tokens: string[] = []
      for (const card of testCards) {
        const { path } = await pay(h, await initiate(h), card.number)
        if (card.requiresOtp) await h.form(`${path}/otp`, { otp: '123456' })
        tokens.push(path.split('/').at(-1) ?? '')
      }
      const path = await openCheckout(h, await initiate(h))
      const realCard = { number: '4084 0840 8408 4081', expiry: '09/39', cvv: 'typed-by-mistake' }
      await h.form(`${path}/card`, realCard)
      await h.form(`${path}/card`, { ...realCard, number: '4084084084084081' })
      await h.service.idle()

      const files = await readdir(h.directory)
      expect(files).toContain('payments.db')
      const stored = await Promise.all(files.map(name => readFile(join(h.directory, name), 'latin1')))
      const logged = JSON.stringify(h.logs)
      const everything = stored.join('') + logged
      // This proves that the search works, because it finds values that may be stored.
      expect(everything).toContain('506099')
      const numbers = [...testCards.map(card => card.number), '4084084084084081', '4084 0840 8408 4081']
      for (const secret of [...numbers, 'typed-by-mistake', ...tokens])
        expect(everything).not.toContain(secret)

      // Short values also occur by chance inside random IDs, so they are only compared with whole columns.
      const values = await readAllValues(h.file)
      expect(values).toContain('0019')
      for (const secret of [goodCard.cvv, '123456']) expect(values).not.toContain(secret)
      expect(values.join('\n')).not.toMatch(/cvv|otp/i)
      for (const personalValue of ['payer@demo.test', 'UG/2019', 'SBX', 'ORDER-']) {
        expect(logged).not.toContain(personalValue)
      }
      expect(logged).toContain('/checkout/:session/card')
    } finally {
      await h.stop()
    }
  })
})
