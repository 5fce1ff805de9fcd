import { ApiError, errorText } from '@portal/api/error'

interface Failure {
  type: 'error'
  code?: string
}

/** The server made these lines from the contract; a second parse here would only cost. */
const lineOf = <Line extends { type: string }>(text: string) => JSON.parse(text) as Line | Failure

const isFailure = (line: { type: string }): line is Failure => line.type === 'error'

/**
 * Reads an answer of JSON lines as it grows.
 * @returns a function that takes all text so far and gives the lines that are new; it throws what an error line says
 */
export function jsonLines<Line extends { type: string }>(): (textSoFar: string) => Line[] {
  let read = 0
  return textSoFar => {
    const end = textSoFar.lastIndexOf('\n') + 1
    const fresh = textSoFar
      .slice(read, end)
      .split('\n')
      .filter(Boolean)
      .map(lineOf<Line>)
    read = Math.max(read, end)
    return fresh.map(line => {
      if (isFailure(line)) throw new ApiError(errorText(line), { status: 500, code: line.code })
      return line
    })
  }
}
