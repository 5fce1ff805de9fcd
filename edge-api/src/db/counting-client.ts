import type { Client, Transaction, TransactionMode } from '@libsql/client'

/* Counts the write transactions of a database server, so that a replica can show how far it has caught up. */

/** Number of write transactions that the answering database has seen. */
export const COUNT_OF_WRITES = 'select writes from write_counter'
export const ONE_MORE_WRITE = 'update write_counter set writes = writes + 1'

/** A client whose interactive transactions each increment the counter, inside themselves. */
export function countingClient(client: Client): Client {
  return withTransaction(client, async mode => {
    const transaction = await client.transaction(mode)
    const { commit } = transaction
    return Object.assign(transaction, {
      // Not awaited in between: both travel in one request, in this order.
      commit: async () =>
        void (await Promise.all([transaction.execute(ONE_MORE_WRITE), commit.call(transaction)])),
    })
  })
}

/** The driver's clients keep their state in private fields, so they cannot be subclassed. */
const withTransaction = (
  client: Client,
  transaction: (mode: TransactionMode) => Promise<Transaction>,
): Client =>
  new Proxy(client, {
    get(target, name) {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
