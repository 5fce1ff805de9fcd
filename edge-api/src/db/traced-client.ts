import type { Client, InStatement, Transaction } from '@libsql/client'
import { type Attributes, SpanKind } from '@opentelemetry/api'
import { inSpan, inSyncSpan } from '../telemetry.ts'

/** Maximum length of the statement's text in a span. */
const MAX_TEXT_LENGTH = 500

const textOf = (statement: InStatement | [string, unknown?]) =>
  typeof statement === 'string' ? statement : Array.isArray(statement) ? statement[0] : statement.sql

const attributesOf = (statements: readonly (InStatement | [string, unknown?])[]): Attributes => ({
  'db.system.name': 'libsql',
  // Contains no values, because statements are parameterised.
  'db.query.text': statements.map(textOf).join('; ').slice(0, MAX_TEXT_LENGTH),
  ...(statements.length > 1 && { 'db.operation.batch.size': statements.length }),
})

/** Methods that get a span. Each function derives the span's attributes from the method's arguments. */
const SPANS = {
  execute: (statement: InStatement) => attributesOf([statement]),
  executeOnThread: (sql: string) => attributesOf([sql]),
  batch: (statements: InStatement[]) => attributesOf(statements),
  commit: () => attributesOf(['commit']),
  cells: (sql: string) => attributesOf([sql]),
  firstCells: (sql: string) => attributesOf([sql]),
}
const isSync = (name: PropertyKey) => name === 'cells' || name === 'firstCells'

/** Returns a client that creates a span for each statement, batch and commit, even within transactions. */
export function tracedClient<T extends Client | Transaction>(client: T): T {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      // The driver's clients keep their state in private fields, so their methods must be called with the client itself as
      // `this`.
      const method = value.bind(target)
      if (name === 'transaction')
        return async (...args: unknown[]) => tracedClient((await method(...args)) as Transaction)
      const attributes = (SPANS as Record<PropertyKey, ((...args: never[]) => Attributes) | undefined>)[name]
      if (!attributes) return method
      const title = `database ${isSync(name) ? 'execute' : String(name)}`
      const run = isSync(name) ? inSyncSpan : inSpan
      return (...args: never[]) =>
        run(title, { kind: SpanKind.CLIENT, attributes: attributes(...args) }, () => method(...args))
    },
  })
}
