/** Yields an error and its causes, outermost first, because drizzle wraps the driver's errors. */
function* walkCauses(
  error: unknown,
): Generator<{ code?: unknown; extendedCode?: unknown; message?: unknown }> {
  let current = error
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
    yield current
    current = 'cause' in current ? current.cause : undefined
  }
}

const hasCode = (error: unknown, pattern: RegExp) =>
  [...walkCauses(error)].some(link =>
    [link.code, link.extendedCode].some(code => typeof code === 'string' && pattern.test(code)),
  )

/** True if a UNIQUE or PRIMARY KEY constraint rejected the write. */
export const isUniqueViolation = (error: unknown) =>
  hasCode(error, /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/) ||
  [...walkCauses(error)].some(
    link => typeof link.message === 'string' && /UNIQUE constraint failed/.test(link.message),
  )

/** True if another writer had locked the database. */
export const isBusy = (error: unknown) => hasCode(error, /^(SQLITE_(BUSY|LOCKED)|TRANSACTION_BUSY)/)

/** True if a libSQL server rolled the transaction back, because it took longer than 5 s while another one was waiting. */
export const isRolledBack = (error: unknown) => hasCode(error, /^(TRANSACTION_TIMEOUT|STREAM_EXPIRED)$/)

/** True if the database is unreachable, full, read-only or failing with I/O errors: not an error of the statement itself. */
export const isUnreachable = (error: unknown) =>
  hasCode(
    error,
    /^(SQLITE_(FULL|IOERR|CANTOPEN|READONLY)|HRANA_WEBSOCKET_ERROR|HRANA_CLOSED_ERROR|ECONN\w+|SERVER_ERROR|SERVER_UNREACHABLE)/,
  ) ||
  [...walkCauses(error)].some(
    link => link instanceof TypeError && /fetch|connect|network/i.test(String(link.message)),
  )
