import type { Cells } from './file-values.ts'

/**
 * Reads rows as arrays of values by position, for queries that know their columns.
 */
export interface PositionalReader {
  /** Returns all rows of a query. @throws LibsqlError */
  cells(sql: string, args: readonly unknown[]): readonly Cells[] | Promise<readonly Cells[]>
  /** Returns the first row of a query, which is faster than reading all of them. @throws LibsqlError */
  firstCells(sql: string, args: readonly unknown[]): Cells | undefined | Promise<Cells | undefined>
}

/** Reads a database file, synchronously. */
export interface CellReader extends PositionalReader {
  cells(sql: string, args: readonly unknown[]): readonly Cells[]
  firstCells(sql: string, args: readonly unknown[]): Cells | undefined
  /**
   * Runs work with a longer write-ahead log, so that pages that change repeatedly are copied into the file less often. Calls
   * may overlap.
   */
  withLongLog<T>(work: () => Promise<T>): Promise<T>
  /** Copies the write-ahead log into the file on another thread. Never fails: a later commit copies the rest. */
  copyLog(): Promise<void>
  /** Runs work that commits many transactions, while another thread copies the write-ahead log into the file. */
  withBackgroundCheckpoints<T>(work: () => Promise<T>): Promise<T>
  /** Returns a value that changes whenever this or another process changes the database. */
  version(): string
}
