import type { LogLine, Ports } from '../ports.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** One JSON line a record on standard output, from `lowest` upwards. JSON escapes control characters. */
export function jsonLog(lowest: (typeof levels)[number], write: (line: string) => void): Ports['log'] {
  return (line: LogLine) => {
    if (levels.indexOf(line.level) < levels.indexOf(lowest)) return
    write(JSON.stringify({ time: new Date().toISOString(), ...line }))
  }
}
