import type {
  Client,
  InArgs,
  InStatement,
  Replicated,
  ResultSet,
  Transaction,
  TransactionMode,
} from '@libsql/client'
import { LibsqlBatchError, LibsqlError } from '@libsql/client'
import type { CellReader, Positions } from './cell-reader.ts'
import { withBackgroundCheckpoints } from './file-checkpoint.ts'
import { Connection } from './file-statements.ts'
import type { Cells } from './file-values.ts'
import type { TimeSliced } from './time-slices.ts'

/*
 * A client for file databases: the library's interface on the same driver, with statements prepared once. One connection
 * reads and each transaction has its own, so that readers see committed data only.
 */

/** Pages (4 KiB) of the write-ahead log after which a commit copies them into the file: SQLite's default, and 256 MB. */
const DEFAULT_LOG_PAGES = 1000
const LONG_LOG_PAGES = 64_000

/** How long a transaction runs before others are answered, in milliseconds: the driver is synchronous. */
const TIME_SLICE = 3
const SHORT_TIME_SLICE = 1

type Statement = InStatement | [sql: string, args?: InArgs]

const begins: Record<TransactionMode, string> = {
  write: 'begin immediate',
  read: 'begin transaction readonly',
  deferred: 'begin deferred',
}

function parts(statement: Statement, args?: InArgs): { sql: string; args: InArgs } {
  if (typeof statement === 'string') return { sql: statement, args: args ?? [] }
  if (Array.isArray(statement)) return { sql: statement[0], args: statement[1] ?? [] }
  return { sql: statement.sql, args: statement.args ?? [] }
}

const closedError = (what: string) => new LibsqlError(`The ${what} is closed`, `${what.toUpperCase()}_CLOSED`)

class FileTransaction implements Transaction, Positions, TimeSliced {
  #connection: Connection | undefined
  #turnBegan = performance.now()
  #longestTurn = TIME_SLICE
  readonly #giveBack: (connection: Connection) => void

  constructor(connection: Connection, returnConnection: (connection: Connection) => void) {
    this.#connection = connection
    this.#giveBack = returnConnection
  }

  #current(): Connection {
    if (!this.#connection?.inTransaction) throw closedError('transaction')
    return this.#connection
  }

  #settle(): void {
    const connection = this.#connection
    this.#connection = undefined
    if (connection) this.#giveBack(connection)
  }

  get #isLong(): boolean {
    return performance.now() - this.#turnBegan > this.#longestTurn
  }

  useShortTimeSlices(): void {
    this.#longestTurn = SHORT_TIME_SLICE
  }

  async #letOthersIn(): Promise<void> {
    await new Promise(resolve => setTimeout(resolve))
    this.#turnBegan = performance.now()
  }

  async execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    if (this.#isLong) await this.#letOthersIn()
    const { sql, args: values } = parts(statement, args)
    return this.#current().execute(sql, values)
  }

  async cells(sql: string, args: readonly unknown[]): Promise<readonly Cells[]> {
    if (this.#isLong) await this.#letOthersIn()
    return this.#current().cells(sql, args)
  }

  async firstCells(sql: string, args: readonly unknown[]): Promise<Cells | undefined> {
    if (this.#isLong) await this.#letOthersIn()
    return this.#current().firstCells(sql, args)
  }

  async batch(statements: Statement[]): Promise<ResultSet[]> {
    return inOrder(this.#current(), statements)
  }

  async executeMultiple(sql: string): Promise<void> {
    this.#current().executeAll(sql)
  }

  async commit(): Promise<void> {
    try {
      this.#current().execute('commit')
    } finally {
      this.#settle()
    }
  }

  async rollback(): Promise<void> {
    this.close()
  }

  close(): void {
    try {
      if (this.#connection?.inTransaction) this.#connection.execute('rollback')
    } finally {
      this.#settle()
    }
  }

  get closed(): boolean {
    return !this.#connection?.inTransaction
  }
}

function inOrder(connection: Connection, statements: readonly Statement[]): ResultSet[] {
  return statements.map((statement, index) => {
    try {
      const { sql, args } = parts(statement)
      return connection.execute(sql, args)
    } catch (error) {
      if (!(error instanceof LibsqlError)) throw error
      const { message, code, extendedCode, rawCode } = error
      throw new LibsqlBatchError(message, index, code, extendedCode, rawCode, error)
    }
  })
}

class FileClient implements Client, CellReader {
  readonly protocol = 'file'
  closed = false
  readonly #file: string
  readonly #timeout: number
  readonly #idle: Connection[] = []
  readonly #used = new Set<Connection>()
  /** Number of tasks in progress with a long log. */
  #long = 0

  constructor(file: string, timeout: number) {
    this.#file = file
    this.#timeout = timeout
    // Fail fast if the file cannot be opened.
    this.#with(connection => connection.execute('select 1'))
  }

  #borrow(): Connection {
    if (this.closed) throw closedError('client')
    const connection = this.#idle.pop() ?? new Connection(this.#file, this.#timeout)
    connection.checkpointEvery(this.#long > 0 ? LONG_LOG_PAGES : DEFAULT_LOG_PAGES)
    this.#used.add(connection)
    return connection
  }

  readonly #giveBack = (connection: Connection): void => {
    try {
      if (connection.inTransaction) connection.execute('rollback')
    } catch {
      connection.isUsable = false
    }
    const known = this.#used.delete(connection)
    if (known && connection.isOpen && connection.isUsable && !this.closed) this.#idle.push(connection)
    else connection.close()
  }

  /** For reads outside a transaction: asking the driver whether a transaction is open takes as long as a small query. */
  #reading<T>(read: (connection: Connection) => T): T {
    const connection = this.#borrow()
    try {
      return read(connection)
    } finally {
      this.#used.delete(connection)
      if (connection.isUsable) this.#idle.push(connection)
      else connection.close()
    }
  }

  #with<T>(work: (connection: Connection) => T): T {
    const connection = this.#borrow()
    try {
      return work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  async execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    const { sql, args: values } = parts(statement, args)
    return this.#with(connection => connection.execute(sql, values))
  }

  cells(sql: string, args: readonly unknown[]): readonly Cells[] {
    return this.#reading(connection => connection.cells(sql, args))
  }

  firstCells(sql: string, args: readonly unknown[]): Cells | undefined {
    return this.#reading(connection => connection.firstCells(sql, args))
  }

  version(): string {
    return this.#reading(connection => connection.version())
  }

  async withLongLog<T>(work: () => Promise<T>): Promise<T> {
    this.#long++
    try {
      return await work()
    } finally {
      this.#long--
      // Done here, so that the next commit does not have to.
      if (this.#long === 0 && !this.closed) await this.execute('pragma wal_checkpoint(passive)')
    }
  }

  async withBackgroundCheckpoints<T>(work: () => Promise<T>): Promise<T> {
    return await this.withLongLog(() => withBackgroundCheckpoints(this.#file, work))
  }

  async batch(statements: Statement[], mode: TransactionMode = 'deferred'): Promise<ResultSet[]> {
    return this.#with(connection => {
      connection.execute(begins[mode])
      const results = inOrder(connection, statements)
      connection.execute('commit')
      return results
    })
  }

  async migrate(statements: InStatement[]): Promise<ResultSet[]> {
    return this.#with(connection => {
      connection.execute('pragma foreign_keys = off')
      try {
        connection.execute(begins.deferred)
        const results = inOrder(connection, statements)
        connection.execute('commit')
        return results
      } finally {
        if (connection.inTransaction) connection.execute('rollback')
        connection.execute('pragma foreign_keys = on')
      }
    })
  }

  async transaction(mode: TransactionMode = 'write'): Promise<Transaction> {
    const connection = this.#borrow()
    try {
      connection.execute(begins[mode])
    } catch (error) {
      this.#giveBack(connection)
      throw error
    }
    return new FileTransaction(connection, this.#giveBack)
  }

  async executeMultiple(sql: string): Promise<void> {
    this.#with(connection => connection.executeAll(sql))
  }

  async sync(): Promise<Replicated> {
    throw new LibsqlError('A file has nothing to be synchronised with', 'SYNC_NOT_SUPPORTED')
  }

  /** Reopens every connection, including those in use. */
  reconnect(): void {
    for (const connection of [...this.#idle.splice(0), ...this.#used]) connection.close()
    this.#used.clear()
    this.closed = false
  }

  close(): void {
    this.reconnect()
    this.closed = true
  }
}

/**
 * Opens a database file, and creates it if it does not exist.
 * @param timeout how long to wait for a lock of another process, in milliseconds
 * @throws LibsqlError if it cannot be opened
 */
export const openFile = (file: string, { timeout }: { timeout: number }): Client & CellReader =>
  new FileClient(file, timeout)
