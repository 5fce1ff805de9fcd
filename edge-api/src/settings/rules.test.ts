import { expect, it, test } from 'vitest'
import { describeChanges, settingDefaults, settingShapes } from './rules.ts'

test.each([
  [{ name: 'A', title: 'B' }, { name: 'A', title: 'C' }, 'title: B → C'],
  [{ support_phones: [] }, { support_phones: ['1', '2'] }, 'support phones: none → 1, 2'],
  [
    { staff_totp: false, accent: null },
    { staff_totp: true, accent: '#000000' },
    'staff totp: off → on; accent: none → #000000',
  ],
  [{ for: 'Registrar' }, { for: '' }, 'for: Registrar → none'],
  [{ opening: 'x' }, { opening: 'y'.repeat(500) }, `opening: x → ${'y'.repeat(120)}…`],
  [{ a: 1 }, { a: 1 }, ''],
])('describes the change from %j to %j as %j', (before, after, description) => {
  expect(describeChanges(before, after)).toBe(description)
})

it('fills in the defaults of fields that did not exist when a setting was stored', () => {
  expect(settingShapes.policies.parse({ unknown_certificates: 'charge', public_tracking: 'status' })).toEqual(
    { unknown_certificates: 'charge', public_tracking: 'status', staff_totp: false, organisations: 'off' },
  )
  const { accent: _, ...older } = settingDefaults.institution
  expect(settingShapes.institution.parse(older)).toEqual(settingDefaults.institution)
})
