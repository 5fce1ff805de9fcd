import { Fault } from './fault.ts'

/**
 * Returns the name and stack of the underlying error for the log, without its message, because a driver's message can quote a
 * row.
 */
export function describeCause(error: unknown): string | undefined {
  const cause = error instanceof Fault ? error.cause : error
  if (!(cause instanceof Error)) return undefined
  const frames =
    cause.stack
      ?.split('\n')
      .filter(line => /^\s+at /.test(line))
      .slice(0, 6) ?? []
  return [cause.name, ...frames.map(line => line.trim())].join(' | ')
}
