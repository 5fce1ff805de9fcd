import type { Client, InStatement, ResultSet, Transaction } from '@libsql/client'
// Imports the `web` entry point: the main one loads the native driver, for which a process without a file database has no
// permission.
import { LibsqlBatchError } from '@libsql/client/web'

/*
 * A client that sends fewer requests to a database server. A round trip costs more than most statements, so statements that do
 * not depend on each other's results are sent as one batch. Write transactions are counted, so that a replica's count shows how
 * far it has caught up.
 */

/** Query for the number of write transactions that a database (the primary or a replica) has applied. */
export const SELECT_WRITE_COUNT = 'select writes from write_counter'
export const INCREMENT_WRITE_COUNT = 'update write_counter set writes = writes + 1'

/**
 * Statement that fails unless the one before it changed one row. SQLite allows RAISE only in triggers, so the failure is caused
 * by invalid JSON.
 */
const REQUIRE_ONE_ROW = "select iif(changes() = 1, 1, json('not one row'))"

/** Number of microtasks to wait for further statements: the query builder needs several before it sends a query. */
const MICROTASKS = 16

interface QueuedStatement {
  statement: InStatement
  /** Creates the error that is thrown instead of the driver's. */
  createFailure?: () => Error
  resolve?(result: ResultSet | undefined): void
  reject?(error: unknown): void
}

/** Collects statements that are executed at the same time, to send them as one batch. */
class StatementBatcher {
  #queue: QueuedStatement[] = []
  #isScheduled = false
  readonly #send: (queued: QueuedStatement[]) => Promise<unknown>

  constructor(send: (queued: QueuedStatement[]) => Promise<unknown>) {
    this.#send = send
  }

  defer(...queued: QueuedStatement[]): void {
    this.#queue.push(...queued)
  }

  add(statement: InStatement): Promise<ResultSet | undefined> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ statement, resolve, reject })
      if (!this.#isScheduled) void this.#sendSoon()
    })
  }

  drain(): QueuedStatement[] {
    return this.#queue.splice(0)
  }

  async #sendSoon(): Promise<void> {
    this.#isScheduled = true
    for (let i = 0; i < MICROTASKS; i++) await undefined
    this.#isScheduled = false
    await this.#send(this.drain())
  }
}

/**
 * Errors created by the `createFailure` functions of deferred writes. They are recorded because the query builder wraps them in
 * its own.
 */
const ownFailures = new WeakSet<Error>()

/** Removes the query builder's wrapper from the error of a deferred write; returns other errors unchanged. */
export function unwrapError(error: unknown): unknown {
  for (let link = error; link instanceof Error; link = link.cause) if (ownFailures.has(link)) return link
  return error
}

const statementsOf = (queued: readonly QueuedStatement[]) => queued.map(({ statement }) => statement)

function resolveAll(queued: readonly QueuedStatement[], results: readonly ResultSet[]): void {
  for (const [index, { resolve }] of queued.entries()) resolve?.(results[index])
}

/** Returns a client whose transactions are `ServerTransaction`s, and which sends simultaneous reads as one request. */
export function serverClient(client: Client): Client {
  const sendOne = ({ statement, resolve, reject }: QueuedStatement) =>
    client.execute(statement).then(resolve, reject)
  const reads = new StatementBatcher(async queued => {
    if (queued.length === 1) return queued.map(sendOne)
    try {
      resolveAll(queued, await client.batch(statementsOf(queued), 'read'))
    } catch {
      // One failing statement must not make the others fail, so each is sent again separately.
      return queued.map(sendOne)
    }
  })
  // A proxy, because the driver's clients keep their state in private fields and so cannot be subclassed.
  return new Proxy(client, {
    get(target, name) {
      if (name === 'transaction') return async () => new ServerTransaction(await target.transaction('write'))
      if (name === 'execute') return (statement: InStatement) => reads.add(statement)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * A transaction that sends simultaneous statements as one request. Deferred statements are sent in order, together with the
 * next statement or the commit. The first failure ends the transaction.
 */
export class ServerTransaction {
  readonly #transaction: Transaction
  readonly #batcher = new StatementBatcher(queued => this.#run(queued))
  #isBegun = false
  #commitsWithNext = false
  #isCommitted = false
  #isCounted = true

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  /**
   * Queues a statement, to be sent together with the next one or the commit.
   * @param createFailure for a statement that must change one row: creates the error if it does not
   */
  defer(statement: InStatement, createFailure?: () => Error): void {
    this.#batcher.defer({ statement })
    if (createFailure) this.#batcher.defer({ statement: REQUIRE_ONE_ROW, createFailure })
  }

  execute(statement: InStatement): Promise<ResultSet | undefined> {
    return this.#batcher.add(statement)
  }

  /** Adds the commit to the request of the next statement, if that statement succeeds. */
  commitWithNext(): void {
    this.#commitsWithNext = true
  }

  /** Excludes this transaction from the count of writes. */
  skipCount(): void {
    this.#isCounted = false
  }

  async commit(): Promise<void> {
    if (!this.#isCommitted) await this.#batch(this.#batcher.drain(), true)
  }

  async rollback(): Promise<void> {
    // If the server has already ended the transaction, there is nothing to roll back, and the earlier error is the one to
    // report.
    await this.#transaction.rollback().catch(() => this.#transaction.close())
  }

  async #run(queued: QueuedStatement[]): Promise<void> {
    try {
      resolveAll(queued, await this.#batch(queued, this.#commitsWithNext))
    } catch (error) {
      for (const { reject } of queued) reject?.(error)
    }
  }

  async #batch(queued: readonly QueuedStatement[], commit: boolean): Promise<ResultSet[]> {
    // In this batch, each statement runs only if the one before it succeeded.
    const commitStatements = this.#isCounted ? [INCREMENT_WRITE_COUNT, 'commit'] : ['commit']
    const statements = [...statementsOf(queued), ...(commit ? commitStatements : [])]
    const results = this.#transaction.batch(statements)
    const closed = commit && this.#closeStream(results)
    this.#isBegun = true
    try {
      const batchResults = await results
      this.#isCommitted = commit
      return batchResults
    } catch (error) {
      const failure = error instanceof LibsqlBatchError && queued[error.statementIndex]?.createFailure?.()
      if (!failure) throw error
      ownFailures.add(failure)
      throw failure
    } finally {
      await closed
    }
  }

  /**
   * Closes the stream in the same request as the last statements. If one of them failed, closing rolls back the transaction.
   */
  async #closeStream(results: Promise<unknown>): Promise<void> {
    results.catch(() => undefined)
    // After its first request, the driver queues a batch one microtask later, and the rollback must be queued after that.
    if (this.#isBegun) await undefined
    await this.#transaction.rollback().catch(() => undefined)
  }
}

/** Returns the server transaction behind a database handle; undefined for a file database. */
export function serverTransactionOf(db: object): ServerTransaction | undefined {
  // Drizzle has no public way to get the driver's transaction.
  const { session } = db as { session?: { tx?: unknown } }
  return session?.tx instanceof ServerTransaction ? session.tx : undefined
}
