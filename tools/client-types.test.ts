import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clientTypes, SCHEMA } from './client-types.mjs'

test('the types of the client are those of the API for keys: `npm run generate -w @portal/client`', async () => {
  expect(readFileSync(SCHEMA, 'utf8')).toBe(await clientTypes())
})
