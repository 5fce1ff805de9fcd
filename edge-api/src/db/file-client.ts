import type {
  Client,
  InArgs,
  InStatement,
  Replicated,
  ResultSet,
  Transaction,
  TransactionMode,
} from '@libsql/client'
import { LibsqlError } from '@libsql/client'
import type { CellReader } from './cell-reader.ts'
import { copyLog, withBackgroundCheckpoints } from './file-checkpoint.ts'
import { Connection } from './file-statements.ts'
import {
  createClosedError,
  executeInOrder,
  FileTransaction,
  type Statement,
  toSqlAndArgs,
} from './file-transaction.ts'
import type { Cells } from './file-values.ts'

/*
 * A client for file databases: it has the interface of the libSQL library and uses the same driver, but prepares each statement
 * only once. One connection is for reads, and each transaction has its own, so that readers see only committed data.
 */

/**
 * Number of pages (4 KiB) in the write-ahead log after which a commit copies them into the file: SQLite's default, and 256 MB
 * for work with a long log.
 */
const DEFAULT_LOG_PAGES = 1000
const LONG_LOG_PAGES = 64_000

const beginStatements: Record<TransactionMode, string> = {
  write: 'begin immediate',
  read: 'begin transaction readonly',
  deferred: 'begin deferred',
}

class FileClient implements Client, CellReader {
  readonly protocol = 'file'
  closed = false
  readonly #file: string
  readonly #timeout: number
  readonly #idle: Connection[] = []
  readonly #inUse = new Set<Connection>()
  /** Number of tasks in progress that use a long log. */
  #longLogTasks = 0

  constructor(file: string, timeout: number) {
    this.#file = file
    this.#timeout = timeout
    // Fail fast if the file cannot be opened.
    this.#with(connection => connection.execute('select 1'))
  }

  #borrow(): Connection {
    if (this.closed) throw createClosedError('client')
    const connection = this.#idle.pop() ?? new Connection(this.#file, this.#timeout)
    connection.checkpointEvery(this.#longLogTasks > 0 ? LONG_LOG_PAGES : DEFAULT_LOG_PAGES)
    this.#inUse.add(connection)
    return connection
  }

  readonly #release = (connection: Connection): void => {
    try {
      if (connection.inTransaction) connection.execute('rollback')
    } catch {
      connection.isUsable = false
    }
    const wasInUse = this.#inUse.delete(connection)
    if (this.#longLogTasks === 0 && connection.isUsable) connection.shrinkCache()
    if (wasInUse && connection.isOpen && connection.isUsable && !this.closed) this.#idle.push(connection)
    else connection.close()
  }

  /** Reads outside a transaction. Skips the check for an open transaction, which takes as long as a small query. */
  #readWith<T>(read: (connection: Connection) => T): T {
    const connection = this.#borrow()
    try {
      return read(connection)
    } finally {
      this.#inUse.delete(connection)
      if (connection.isUsable) this.#idle.push(connection)
      else connection.close()
    }
  }

  #with<T>(work: (connection: Connection) => T): T {
    const connection = this.#borrow()
    try {
      return work(connection)
    } finally {
      this.#release(connection)
    }
  }

  async execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    const { sql, args: values } = toSqlAndArgs(statement, args)
    return this.#with(connection => connection.execute(sql, values))
  }

  cells(sql: string, args: readonly unknown[]): readonly Cells[] {
    return this.#readWith(connection => connection.cells(sql, args))
  }

  firstCells(sql: string, args: readonly unknown[]): Cells | undefined {
    return this.#readWith(connection => connection.firstCells(sql, args))
  }

  version(): string {
    return this.#readWith(connection => connection.version())
  }

  async withLongLog<T>(work: () => Promise<T>): Promise<T> {
    this.#longLogTasks++
    try {
      return await work()
    } finally {
      this.#longLogTasks--
      if (this.#longLogTasks === 0) for (const connection of this.#idle) connection.shrinkCache()
      // Copies the log now, so that the next commit does not have to copy it all; on another thread, because it can take a
      // second.
      if (this.#longLogTasks === 0 && !this.closed) await this.copyLog()
    }
  }

  copyLog(): Promise<void> {
    return copyLog(this.#file)
  }

  async withBackgroundCheckpoints<T>(work: () => Promise<T>): Promise<T> {
    return await this.withLongLog(() => withBackgroundCheckpoints(this.#file, work))
  }

  async batch(statements: Statement[], mode: TransactionMode = 'deferred'): Promise<ResultSet[]> {
    return this.#with(connection => {
      connection.execute(beginStatements[mode])
      const results = executeInOrder(connection, statements)
      connection.execute('commit')
      return results
    })
  }

  async migrate(statements: InStatement[]): Promise<ResultSet[]> {
    return this.#with(connection => {
      connection.execute('pragma foreign_keys = off')
      try {
        connection.execute(beginStatements.deferred)
        const results = executeInOrder(connection, statements)
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
      connection.execute(beginStatements[mode])
    } catch (error) {
      this.#release(connection)
      throw error
    }
    return new FileTransaction(connection, this.#release)
  }

  async executeMultiple(sql: string): Promise<void> {
    this.#with(connection => connection.executeAll(sql))
  }

  async sync(): Promise<Replicated> {
    throw new LibsqlError('A file has nothing to be synchronised with', 'SYNC_NOT_SUPPORTED')
  }

  /** Closes every connection, including those in use. Later calls open new ones. */
  reconnect(): void {
    for (const connection of [...this.#idle.splice(0), ...this.#inUse]) connection.close()
    this.#inUse.clear()
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
