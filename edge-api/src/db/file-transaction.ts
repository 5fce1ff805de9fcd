import type { InArgs, InStatement, ResultSet, Transaction } from '@libsql/client'
import { LibsqlBatchError, LibsqlError } from '@libsql/client'
import type { ThreadedTransaction } from './background-thread.ts'
import type { PositionalReader } from './cell-reader.ts'
import type { Connection } from './file-statements.ts'
import type { Cells } from './file-values.ts'
import type { TimeSliced } from './time-slices.ts'

/** How long a transaction runs before it yields to other work, in milliseconds. Needed because the driver is synchronous. */
const TIME_SLICE_MS = 3
const SHORT_TIME_SLICE_MS = 1

export type Statement = InStatement | [sql: string, args?: InArgs]

export function toSqlAndArgs(statement: Statement, args?: InArgs): { sql: string; args: InArgs } {
  if (typeof statement === 'string') return { sql: statement, args: args ?? [] }
  if (Array.isArray(statement)) return { sql: statement[0], args: statement[1] ?? [] }
  return { sql: statement.sql, args: statement.args ?? [] }
}

export const createClosedError = (what: string) =>
  new LibsqlError(`The ${what} is closed`, `${what.toUpperCase()}_CLOSED`)

/** A transaction with its own connection, which it releases when it ends. */
export class FileTransaction implements Transaction, PositionalReader, TimeSliced, ThreadedTransaction {
  #connection: Connection | undefined
  #sliceStartedAt = performance.now()
  #sliceMs = TIME_SLICE_MS
  /** Set after a long statement has run on another thread, because the commit then also takes long. */
  #isLong = false
  readonly #release: (connection: Connection) => void

  constructor(connection: Connection, release: (connection: Connection) => void) {
    this.#connection = connection
    this.#release = release
  }

  #current(): Connection {
    if (!this.#connection?.inTransaction) throw createClosedError('transaction')
    return this.#connection
  }

  #releaseConnection(): void {
    const connection = this.#connection
    this.#connection = undefined
    if (connection) this.#release(connection)
  }

  get #isSliceOver(): boolean {
    return performance.now() - this.#sliceStartedAt > this.#sliceMs
  }

  useShortTimeSlices(): void {
    this.#sliceMs = SHORT_TIME_SLICE_MS
  }

  async #yieldToOthers(): Promise<void> {
    await new Promise(resolve => setTimeout(resolve))
    this.#sliceStartedAt = performance.now()
  }

  async execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    if (this.#isSliceOver) await this.#yieldToOthers()
    const { sql, args: values } = toSqlAndArgs(statement, args)
    return this.#current().execute(sql, values)
  }

  async executeOnThread(sql: string): Promise<void> {
    this.#isLong = true
    await this.#current().executeOnThread(sql)
    this.#sliceStartedAt = performance.now()
  }

  async cells(sql: string, args: readonly unknown[]): Promise<readonly Cells[]> {
    if (this.#isSliceOver) await this.#yieldToOthers()
    return this.#current().cells(sql, args)
  }

  async firstCells(sql: string, args: readonly unknown[]): Promise<Cells | undefined> {
    if (this.#isSliceOver) await this.#yieldToOthers()
    return this.#current().firstCells(sql, args)
  }

  async batch(statements: Statement[]): Promise<ResultSet[]> {
    return executeInOrder(this.#current(), statements)
  }

  async executeMultiple(sql: string): Promise<void> {
    this.#current().executeAll(sql)
  }

  async commit(): Promise<void> {
    try {
      if (this.#isLong) await this.#current().executeOnThread('commit')
      else this.#current().execute('commit')
    } finally {
      this.#releaseConnection()
    }
  }

  async rollback(): Promise<void> {
    this.close()
  }

  close(): void {
    try {
      if (this.#connection?.inTransaction) this.#connection.execute('rollback')
    } finally {
      this.#releaseConnection()
    }
  }

  get closed(): boolean {
    return !this.#connection?.inTransaction
  }
}

export function executeInOrder(connection: Connection, statements: readonly Statement[]): ResultSet[] {
  return statements.map((statement, index) => {
    try {
      const { sql, args } = toSqlAndArgs(statement)
      return connection.execute(sql, args)
    } catch (error) {
      if (!(error instanceof LibsqlError)) throw error
      const { message, code, extendedCode, rawCode } = error
      throw new LibsqlBatchError(message, index, code, extendedCode, rawCode, error)
    }
  })
}
