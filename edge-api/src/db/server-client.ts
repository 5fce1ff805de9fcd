import type { Client, InStatement, ResultSet, Transaction } from '@libsql/client'
// The other entry loads the native driver, which a process without a file has no right to.
import { LibsqlBatchError } from '@libsql/client/web'

/*
 * What a database on a server needs besides the driver. Each request to it costs more than most statements, so statements
 * travel together where no one needs the result of the first to make the second. And write transactions are counted, so
 * that a replica can show how far it has followed.
 */

/** How many write transactions the database that answers has taken. */
export const COUNT_OF_WRITES = 'select writes from write_counter'
export const ONE_MORE_WRITE = 'update write_counter set writes = writes + 1'

/** Fails unless the statement before it changed one row: JSON is the one check that plain SQL can fail. */
const REQUIRE_ONE_ROW = "select iif(changes() = 1, 1, json('not one row'))"

/** Turns of the event loop's microtasks that a query builder takes from one query to the next. */
const TURNS = 16

interface Waiting {
  statement: InStatement
  /** The error of this statement, where it is not the driver's. */
  failure?: () => Error
  resolve?(result: ResultSet | undefined): void
  reject?(error: unknown): void
}

/** Collects what is asked for at the same time. */
class Together {
  #waiting: Waiting[] = []
  #called = false
  readonly #send: (waiting: Waiting[]) => Promise<unknown>

  constructor(send: (waiting: Waiting[]) => Promise<unknown>) {
    this.#send = send
  }

  defer(...waiting: Waiting[]): void {
    this.#waiting.push(...waiting)
  }

  ask(statement: InStatement): Promise<ResultSet | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject })
      if (!this.#called) void this.#soon()
    })
  }

  take(): Waiting[] {
    return this.#waiting.splice(0)
  }

  async #soon(): Promise<void> {
    this.#called = true
    for (let turn = 0; turn < TURNS; turn++) await undefined
    this.#called = false
    await this.#send(this.take())
  }
}

/** Errors of the product's own among those that a query builder wraps. */
const ownFailures = new WeakSet<Error>()

/** The error that a deferred write was to fail with, out of the query builder's; any other as it is. */
export function unwrapped(error: unknown): unknown {
  for (let link = error; link instanceof Error; link = link.cause) if (ownFailures.has(link)) return link
  return error
}

const statementsOf = (waiting: readonly Waiting[]) => waiting.map(({ statement }) => statement)

function resolveAll(waiting: readonly Waiting[], results: readonly ResultSet[]): void {
  for (const [at, { resolve }] of waiting.entries()) resolve?.(results[at])
}

/** A client whose transactions are `ServerTransaction`s, and whose simultaneous reads are one request. */
export function serverClient(client: Client): Client {
  const alone = ({ statement, resolve, reject }: Waiting) => client.execute(statement).then(resolve, reject)
  const reads = new Together(async waiting => {
    if (waiting.length === 1) return waiting.map(alone)
    try {
      resolveAll(waiting, await client.batch(statementsOf(waiting), 'read'))
    } catch {
      // One that fails must not fail the others; each then gives its own reason.
      return waiting.map(alone)
    }
  })
  // The driver's clients keep their state in private fields, so one cannot be extended by inheriting from it.
  return new Proxy(client, {
    get(target, name) {
      if (name === 'transaction') return async () => new ServerTransaction(await target.transaction('write'))
      if (name === 'execute') return (statement: InStatement) => reads.ask(statement)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * A transaction whose simultaneous statements are one request. Deferred ones are sent with the next statement or the
 * commit, in order. The first failure ends the transaction.
 */
export class ServerTransaction {
  readonly #transaction: Transaction
  readonly #together = new Together(waiting => this.#run(waiting))
  #isBegun = false
  #isLast = false
  #isCommitted = false

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  /** @param failure where the statement must change one row: the error when it changes none */
  defer(statement: InStatement, failure?: () => Error): void {
    this.#together.defer({ statement })
    if (failure) this.#together.defer({ statement: REQUIRE_ONE_ROW, failure })
  }

  execute(statement: InStatement): Promise<ResultSet | undefined> {
    return this.#together.ask(statement)
  }

  /** Commits in the request of the next statement, if it succeeds. */
  commitWithNext(): void {
    this.#isLast = true
  }

  async commit(): Promise<void> {
    if (!this.#isCommitted) await this.#batch(this.#together.take(), true)
  }

  async rollback(): Promise<void> {
    await this.#transaction.rollback()
  }

  async #run(waiting: Waiting[]): Promise<void> {
    try {
      resolveAll(waiting, await this.#batch(waiting, this.#isLast))
    } catch (error) {
      for (const { reject } of waiting) reject?.(error)
    }
  }

  async #batch(waiting: readonly Waiting[], commit: boolean): Promise<ResultSet[]> {
    // Each runs only if the one before it succeeded.
    const statements = [...statementsOf(waiting), ...(commit ? [ONE_MORE_WRITE, 'commit'] : [])]
    const results = this.#transaction.batch(statements)
    const end = commit && this.#end(results)
    this.#isBegun = true
    try {
      const done = await results
      this.#isCommitted = commit
      return done
    } catch (error) {
      const failure = error instanceof LibsqlBatchError && waiting[error.statementIndex]?.failure?.()
      if (!failure) throw error
      ownFailures.add(failure)
      throw failure
    } finally {
      await end
    }
  }

  /** Ends the stream in the request of the last statements, and undoes what a failure of theirs left. */
  async #end(results: Promise<unknown>): Promise<void> {
    results.catch(() => undefined)
    // The driver queues the statements in the next turn once the transaction has begun; in this turn otherwise.
    if (this.#isBegun) await undefined
    await this.#transaction.rollback().catch(() => undefined)
  }
}

/** The transaction on a server behind a handle; undefined for a file, whose statements need no request. */
export function serverTransactionOf(db: object): ServerTransaction | undefined {
  // Drizzle keeps it to itself.
  const { session } = db as { session?: { tx?: unknown } }
  return session?.tx instanceof ServerTransaction ? session.tx : undefined
}
