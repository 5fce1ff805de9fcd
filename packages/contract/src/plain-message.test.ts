import { expect, test } from 'vitest'
import * as z from 'zod'
import { date } from './fields.ts'
import { plainMessage } from './plain-message.ts'
import { filter } from './shapes.ts'

test.each([
  [z.coerce.number().max(100), 500, 'At most 100, please.'],
  [z.string().min(3), 'a', 'At least 3 characters, please.'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'At most 2 entries, please.'],
  [z.string(), undefined, 'This is required.'],
  [z.string(), 5, 'Please give text.'],
  [z.number().int(), 1.5, 'Please give a whole number.'],
  [z.enum(['asc', 'desc']), 'up', 'Please choose one of: asc, desc.'],
  [z.strictObject({}), { sql: 1 }, 'Unknown: sql.'],
  [z.iso.date(), 'yesterday', 'This value is not valid.'],
  [filter(date()), 'yesterday', 'Please enter a date as YYYY-MM-DD.'],
  [filter(z.enum(['asc', 'desc'])), 'up', 'Please choose one of: asc, desc.'],
])('explains in plain English why a value is invalid (case %#)', (schema, value, message) => {
  const { error } = schema.safeParse(value, { error: plainMessage })
  expect(error?.issues[0]?.message).toBe(message)
})

test('a message in the contract takes precedence over the default', () => {
  const schema = z.string({ error: 'Email is required' })
  expect(schema.safeParse(undefined, { error: plainMessage }).error?.issues[0]?.message).toBe(
    'Email is required',
  )
})
