import { Buffer } from 'node:buffer'
import { type InArgs, type InValue, LibsqlError } from '@libsql/client'
import Database from 'libsql'

/* Converts values and errors of the driver `libsql` to those of the client library. */

/** The values of a row in the order of its columns. */
export type Cells = readonly unknown[]

function fromSql(value: unknown): unknown {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63)
      throw new RangeError('An integer of the database is too large for a JavaScript number.')
    return value
  }
  if (value instanceof Uint8Array)
    return value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength)
  return value
}

/** Converts the driver's values in a row to those of the client library, in place. */
export function convertRow(row: unknown[]): Cells {
  for (let index = 0; index < row.length; index++) row[index] = fromSql(row[index])
  return row
}

export function toSql(value: InValue): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof ArrayBuffer) return Buffer.from(value)
  if (value instanceof Date) return value.valueOf()
  if (value === undefined) throw new TypeError('undefined cannot be a value of a query')
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${value} cannot be a value of a query`)
  return value
}

/** Converts parameters that are given by position, or by name, with or without the prefix `@`, `$` or `:`. */
export const toBoundValues = (args: InArgs) =>
  Array.isArray(args)
    ? args.map(toSql)
    : Object.fromEntries(
        Object.entries(args).map(([name, value]) => [name.replace(/^[@$:]/, ''), toSql(value)]),
      )

const baseCodes: Record<number, string> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
}

/** Converts an error of the driver to the client library's error with the same meaning. */
export function toLibsqlError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  const { rawCode } = error as { rawCode?: number }
  const code =
    rawCode === undefined
      ? 'SQLITE_UNKNOWN'
      : (baseCodes[rawCode & 0xff] ?? `SQLITE_UNKNOWN_${rawCode & 0xff}`)
  return new LibsqlError(error.message, code, error.code, rawCode, error)
}
