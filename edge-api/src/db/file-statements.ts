import process from 'node:process'
import type { InArgs, InValue, ResultSet, Row, Value } from '@libsql/client'
import { LibsqlError } from '@libsql/client'
import Database from 'libsql'
import AsyncDatabase from 'libsql/promise'
import { addBounded } from '../bounded-map.ts'
import { type Cells, convertRow, toBoundValues, toLibsqlError, toSql } from './file-values.ts'

/*
 * Cache of prepared statements for one connection to a file: the library's client prepares a statement on each call, which
 * takes longer than most of the portal's queries.
 */

/*
 * Limits the driver to one background thread; otherwise it has one per core. Each thread keeps as much memory as its largest
 * statement needed, up to 90 MB in a large import. The driver reads this variable when it opens its first database.
 */
process.env.TOKIO_WORKER_THREADS ??= '1'

/**
 * Maximum number of cached statements per connection. Lists with many filters have many different statements; the least
 * recently used one is dropped.
 */
const MAX_CACHED = 400

/**
 * Page cache of a connection, in KiB: SQLite's default of 2 MB cannot hold even the interior pages of a large register, so each
 * row on a page of a list would be read from the file again.
 */
const PAGE_CACHE_KIB = 32_768
/** Page cache while a large import runs, in KiB, because it changes two large indexes in random order. */
const LARGE_PAGE_CACHE_KIB = 49_152

/**
 * A row in the format of the library's client. Values can be read by name, or by position, because a join can have the same
 * name twice.
 */
class FileRow {
  readonly #cells: Cells
  static #positions = 0

  constructor(cells: Cells, names: readonly (readonly [name: string, position: number])[]) {
    this.#cells = cells
    for (const [name, position] of names) {
      // A column's name can be a number, as in `select 1`, and so clash with a position.
      if (name in FileRow.prototype)
        Object.defineProperty(this, name, { value: cells[position], enumerable: true })
      else (this as Record<string, unknown>)[name] = cells[position]
    }
  }

  get length(): number {
    return this.#cells.length
  }

  /** Adds getters that make rows with this many columns readable by position. */
  static definePositions(columns: number): void {
    for (; FileRow.#positions < columns; FileRow.#positions++) {
      const position = FileRow.#positions
      Object.defineProperty(FileRow.prototype, position, {
        get(this: FileRow) {
          return this.#cells[position]
        },
      })
    }
  }
}

class Prepared {
  readonly #statement: Database.Statement
  readonly #columns: string[] = []
  readonly #types: string[] = []
  readonly #names: (readonly [string, number])[] = []
  readonly #returnsRows: boolean
  readonly changesSchema: boolean

  constructor(statement: Database.Statement, sql: string) {
    this.#statement = statement
    this.changesSchema = /^\s*(create|alter|drop|vacuum)\b/i.test(sql)
    this.#returnsRows = this.#enableArrayRows()
    if (!this.#returnsRows) return
    for (const { name, type } of statement.columns()) {
      if (!this.#columns.includes(name)) this.#names.push([name, this.#columns.length])
      this.#columns.push(name)
      this.#types.push(type ?? '')
    }
    FileRow.definePositions(this.#columns.length)
  }

  /** Makes the statement return rows as arrays. @returns false if it returns no rows */
  #enableArrayRows(): boolean {
    try {
      this.#statement.raw(true)
      return true
    } catch {
      return false
    }
  }

  run(args: InArgs): ResultSet {
    const values = toBoundValues(args)
    if (!this.#returnsRows) {
      const { changes, lastInsertRowid } = this.#statement.run(values)
      return toResultSet([], [], [], changes, BigInt(lastInsertRowid))
    }
    const rows = this.#all(values).map(cells => new FileRow(cells, this.#names) as unknown as Row)
    return toResultSet(this.#columns, this.#types, rows, 0, undefined)
  }

  cells(args: readonly unknown[]): readonly Cells[] {
    return this.#all(args.map(value => toSql(value as InValue)))
  }

  /**
   * Returns only the first row; the driver resets the statement before the next call. Only for statements that are never read
   * in any other way.
   */
  firstCells(args: readonly unknown[]): Cells | undefined {
    const row = this.#statement.get(args.map(value => toSql(value as InValue))) as unknown[] | undefined
    return row && convertRow(row)
  }

  #all(values: unknown): Cells[] {
    // Always reads to the end, because an unfinished statement would hold its snapshot of the database.
    const rows = this.#statement.all(values) as unknown[][]
    for (const row of rows) convertRow(row)
    return rows
  }
}

function toResultSet(
  columns: string[],
  columnTypes: string[],
  rows: Row[],
  rowsAffected: number,
  lastInsertRowid: bigint | undefined,
): ResultSet {
  const result = { columns, columnTypes, rows, rowsAffected, lastInsertRowid }
  const values = () => rows.map(row => Array.from(row) as Value[])
  return {
    ...result,
    toJSON: () => ({ ...result, rows: values(), lastInsertRowid: lastInsertRowid?.toString() }),
  }
}

/** One connection to a file. */
export class Connection {
  static #opened = 0
  readonly #number = ++Connection.#opened
  readonly #database: Database.Database
  readonly #statements = new Map<string, Prepared>()
  /**
   * Statements of which only the first row is read. They are cached separately, because the driver resets a statement before it
   * reads all rows, but only after it reads a single row. Reading a single row after all rows would therefore use the
   * parameters of the previous call.
   */
  readonly #firstRowStatements = new Map<string, Prepared>()
  #checkpointEvery = 0
  #hasLargeCache = false
  /** False after an error from which the connection cannot recover; it must not be used again. */
  isUsable = true

  constructor(file: string, timeout: number) {
    try {
      this.#database = new Database(file, { timeout })
      this.#database.exec(`pragma cache_size = -${PAGE_CACHE_KIB}`)
    } catch (error) {
      throw toLibsqlError(error)
    }
  }

  /**
   * Returns a value that changes with every commit. It combines SQLite's counters of other connections' commits and of rows
   * changed by this connection, so values of different connections cannot be compared.
   */
  version(): string {
    const counts = this.firstCells('select data_version, total_changes() from pragma_data_version', [])
    return [this.#number, ...(counts ?? [])].join(' ')
  }

  /** Sets the number of pages in the write-ahead log after which a commit copies them into the file. */
  checkpointEvery(pages: number): void {
    if (pages === this.#checkpointEvery) return
    this.#checkpointEvery = pages
    this.#database.exec(`pragma wal_autocheckpoint = ${pages}`)
  }

  get isOpen(): boolean {
    return this.#database.open
  }

  get inTransaction(): boolean {
    return this.isOpen && this.#database.inTransaction
  }

  /** Executes a statement. @throws LibsqlError with the codes of the library's client */
  execute(sql: string, args: InArgs = []): ResultSet {
    return this.#with(this.#statements, sql, prepared => {
      const result = prepared.run(args)
      // Clears the cache: a statement's columns are determined when it is prepared, and `*` may now mean different columns.
      if (prepared.changesSchema) this.#clearStatements()
      return result
    })
  }

  /** Returns all rows of a query. @throws LibsqlError with the codes of the library's client */
  cells(sql: string, args: readonly unknown[]): readonly Cells[] {
    return this.#with(this.#statements, sql, prepared => prepared.cells(args))
  }

  /** Returns the first row of a query. @throws LibsqlError with the codes of the library's client */
  firstCells(sql: string, args: readonly unknown[]): Cells | undefined {
    return this.#with(this.#firstRowStatements, sql, prepared => prepared.firstCells(args))
  }

  #with<T>(cache: Map<string, Prepared>, sql: string, work: (prepared: Prepared) => T): T {
    try {
      return work(this.#prepare(cache, sql))
    } catch (error) {
      cache.delete(sql)
      throw this.#convertError(error)
    }
  }

  #convertError(error: unknown): unknown {
    const libsqlError = toLibsqlError(error)
    // After SQLITE_BUSY the native connection is unusable until it is reopened.
    if (
      libsqlError instanceof LibsqlError &&
      /^SQLITE_(BUSY|LOCKED|IOERR|CORRUPT|FULL)/.test(libsqlError.code)
    )
      this.isUsable = false
    return libsqlError
  }

  #prepare(cache: Map<string, Prepared>, sql: string): Prepared {
    const cached = cache.get(sql)
    const prepared = cached ?? new Prepared(this.#database.prepare(sql), sql)
    // Removed and inserted again, to keep the map in order of use.
    if (cached) cache.delete(sql)
    addBounded(cache, sql, prepared, MAX_CACHED)
    return prepared
  }

  #clearStatements(): void {
    this.#statements.clear()
    this.#firstRowStatements.clear()
  }

  /**
   * Runs a statement that has no parameters and returns no rows on a background thread, so that the process is not blocked.
   * Until the statement ends, the process must not use this connection. It also enlarges the connection's page cache, until
   * `shrinkCache`.
   * @throws LibsqlError with the codes of the library's client
   */
  async executeOnThread(sql: string): Promise<void> {
    try {
      if (!this.#hasLargeCache) this.#database.exec(`pragma cache_size = -${LARGE_PAGE_CACHE_KIB}`)
      this.#hasLargeCache = true
      // The driver's synchronous and asynchronous interfaces use the same native connection.
      await AsyncDatabase.prototype.exec.call(this.#database, sql)
    } catch (error) {
      throw this.#convertError(error)
    }
  }

  /** Frees the memory of an enlarged page cache. */
  shrinkCache(): void {
    if (!this.#hasLargeCache || !this.isOpen) return
    this.#database.exec(`pragma cache_size = -${PAGE_CACHE_KIB}; pragma shrink_memory`)
    this.#hasLargeCache = false
  }

  /** Runs an SQL script of several statements, none of which returns rows. */
  executeAll(sql: string): void {
    try {
      this.#database.exec(sql)
    } catch (error) {
      throw toLibsqlError(error)
    } finally {
      this.#clearStatements()
    }
  }

  close(): void {
    // The driver closes a file only once its statements have been garbage-collected, and would hold a lock until then.
    try {
      if (this.inTransaction) this.#database.exec('rollback')
    } catch {
      // The rollback fails if SQLite has already rolled back the transaction.
    }
    this.#clearStatements()
    if (this.#database.open) this.#database.close()
  }
}
