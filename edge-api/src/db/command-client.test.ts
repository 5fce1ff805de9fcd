import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { commandClient } from './command-client.ts'

test('a command fails if the database server never responds', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const client = commandClient(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, undefined, 100)
  try {
    await expect(client.execute('select 1')).rejects.toThrow('The database server did not answer.')
  } finally {
    client.close()
    silent.closeAllConnections()
    silent.close()
  }
})
