import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { buildQrPath } from './qr.ts'

test('draws exactly the dark modules, surrounded by a quiet zone of four modules', () => {
  const text = 'https://verify.example/letters/ABCDEFGHJKMN'
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const { path, side } = buildQrPath(text)
  expect(side).toBe(size + 8)
  const drawn = new Set<string>()
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let i = 0; i < Number(run); i += 1) drawn.add(`${Number(x) + i - 4},${Number(y) - 4}`)
  }
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x},${y}`] : [])))
  expect([...drawn].sort()).toEqual(dark.sort())
})
