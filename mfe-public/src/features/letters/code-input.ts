/** Number of letters and digits in a code, without separators. */
const CODE_LENGTH = 12

export interface ParsedCode {
  code: string
  /** An error that can be reported without a request. */
  problem?: string
}

/** Parses the input, which may be a code or a whole address copied from a letter. */
export function parseLetterCode(text: string): ParsedCode {
  const codeText = /\/letters\/([^/?#\s]+)/i.exec(text)?.[1] ?? text
  const code = codeText.toUpperCase().replace(/[^A-Z0-9]/g, '')
  if (code === '') return { code, problem: 'Please enter the code printed on the letter.' }
  // The address of the specimen letter of test mode has a word instead of a code.
  if (code !== 'SPECIMEN' && code.length !== CODE_LENGTH) {
    const count = code.length === 1 ? '1 character' : `${code.length} characters`
    return { code, problem: `A letter code has ${CODE_LENGTH} characters; this one has ${count}.` }
  }
  return { code }
}
