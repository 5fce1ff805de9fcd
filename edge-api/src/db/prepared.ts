import type { Reader } from './database.ts'

/**
 * A query that is built once a database handle instead of once a call: for the few that nearly every request makes,
 * whose text takes longer to build than to answer. What changes from call to call is a `sql.placeholder`.
 * @param build ends in `.prepare()`
 */
export function preparedOnce<Query>(build: (db: Reader) => Query): (db: Reader) => Query {
  // A transaction is a handle of its own and is gone with its queries.
  const built = new WeakMap<Reader, Query>()
  return db => {
    const known = built.get(db)
    if (known) return known
    const query = build(db)
    built.set(db, query)
    return query
  }
}
