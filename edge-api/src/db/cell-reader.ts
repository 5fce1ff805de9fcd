import type { Cells } from './file-values.ts'

/**
 * Returns rows by position, for queries that know their columns; `firstCells` returns only the first row, in less time.
 */
export interface Positions {
  /** @throws LibsqlError */
  cells(sql: string, args: readonly unknown[]): readonly Cells[] | Promise<readonly Cells[]>
  firstCells(sql: string, args: readonly unknown[]): Cells | undefined | Promise<Cells | undefined>
}

/** A database file, which answers immediately. */
export interface CellReader extends Positions {
  cells(sql: string, args: readonly unknown[]): readonly Cells[]
  firstCells(sql: string, args: readonly unknown[]): Cells | undefined
  /**
   * Runs work that writes the same pages many times with a longer write-ahead log: they are copied into the file less often.
   * Any number of these can run in parallel.
   */
  withLongLog<T>(work: () => Promise<T>): Promise<T>
  /** Copies the write-ahead log into the file on another thread. Does not fail: a later commit copies what this could not. */
  copyLog(): Promise<void>
  /** Runs work that commits many transactions: the write-ahead log is copied into the file on another thread. */
  withBackgroundCheckpoints<T>(work: () => Promise<T>): Promise<T>
  /** Values that stay the same until this or another process changes something. */
  version(): string
}
