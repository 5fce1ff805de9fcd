import { ApiError, errorText } from '@portal/api/error'

interface Failure {
  type: 'error'
  code?: string
}

/**
 * Parses a line without validating it against the contract again: the server has already done that, and zod would make the
 * download larger.
 */
const parseLine = <Line extends { type: string }>(text: string) => JSON.parse(text) as Line | Failure

const isFailure = (line: { type: string }): line is Failure => line.type === 'error'

/**
 * Returns a parser for a JSON Lines response that arrives in parts. The parser takes the text received so far and returns the
 * new lines; it throws the error that a line reports.
 */
export function createJsonLinesReader<Line extends { type: string }>(): (textSoFar: string) => Line[] {
  let readLength = 0
  return textSoFar => {
    const end = textSoFar.lastIndexOf('\n') + 1
    const newLines = textSoFar
      .slice(readLength, end)
      .split('\n')
      .filter(Boolean)
      .map(parseLine<Line>)
    readLength = Math.max(readLength, end)
    return newLines.map(line => {
      if (isFailure(line)) throw new ApiError(errorText(line), { status: 500, code: line.code })
      return line
    })
  }
}
