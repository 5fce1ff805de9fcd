import type { Client, InArgs, InStatement, ResultSet, Transaction } from '@libsql/client'

/** A statement as the product sent it, with its arguments when it was first sent. */
export interface LoggedQuery {
  sql: string
  args: InArgs
}

type Statement = InStatement | [sql: string, args?: InArgs]

function parseStatement(statement: Statement, args?: InArgs): LoggedQuery {
  if (typeof statement === 'string') return { sql: statement, args: args ?? [] }
  if (Array.isArray(statement)) return { sql: statement[0], args: statement[1] ?? [] }
  return { sql: statement.sql, args: statement.args ?? [] }
}

/** Returns a client that records each distinct statement by its text, and the texts of all statements in order. */
export function createLoggingClient(client: Client) {
  const queries = new Map<string, LoggedQuery>()
  const sentSql: string[] = []
  const recordStatement = (statement: Statement, args?: InArgs) => {
    const query = parseStatement(statement, args)
    sentSql.push(query.sql)
    if (!queries.has(query.sql)) queries.set(query.sql, query)
  }
  const recordCalls = <T extends Client | Transaction>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (name === 'execute' || name === 'cells' || name === 'firstCells')
            recordStatement(args[0] as Statement, args[1] as InArgs | undefined)
          if (name === 'batch') for (const statement of args[0] as Statement[]) recordStatement(statement)
          const response: unknown = Reflect.apply(value, target, args)
          return name === 'transaction' ? (response as Promise<Transaction>).then(recordCalls) : response
        }
      },
    })
  return { client: recordCalls(client), queries, sent: sentSql }
}

/** One step of SQLite's plan. The steps of a query have the same parent, and so do the steps of each subquery. */
interface Step {
  parent: number
  detail: string
}

/** Returns SQLite's plan for a statement. */
export async function explainQuery(client: Client, { sql, args }: LoggedQuery): Promise<Step[]> {
  const plan: ResultSet = await client.execute({ sql: `explain query plan ${sql}`, args })
  return plan.rows.map(row => ({ parent: Number(row.parent), detail: String(row.detail) }))
}

/**
 * Returns the steps of a plan that read a whole table.
 * @param largeTables tables that may have any number of rows
 * @param partialIndexes indexes that contain few of their table's rows
 */
export function findFullScans(
  sql: string,
  plan: readonly Step[],
  { large: largeTables, partialIndexes }: { large: ReadonlySet<string>; partialIndexes: ReadonlySet<string> },
): string[] {
  const aliases = new Map<string, string>()
  const tableAliases = /(?:from|join)\s+["`]?(\w+)["`]?(?:\s+as)?\s+["`]?(\w+)["`]?/gi
  for (const [, table = '', alias = ''] of sql.matchAll(tableAliases)) aliases.set(alias, table)
  // Returns true if the plan reads the rows in the requested order without sorting, so it stops at the limit.
  const stopsEarly = (parent: number) =>
    /\border by\b.*\blimit\b/is.test(sql) &&
    !plan.some(step => step.parent === parent && /TEMP B-TREE FOR (ORDER|GROUP) BY/.test(step.detail))
  const isTotal = /^select .*\b(count|sum)\(/is.test(sql)
  return plan
    .filter(({ detail, parent }) => {
      if (/AUTOMATIC/.test(detail)) return true
      const [, name = '', index] = /^SCAN (\w+)(?:.* USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? []
      if (!largeTables.has(aliases.get(name) ?? name) || (index && partialIndexes.has(index))) return false
      // A total is counted in a narrow index, which takes about 20 ms for a million rows.
      return !stopsEarly(parent) && !(isTotal && / COVERING INDEX /.test(detail))
    })
    .map(({ detail }) => detail)
}
