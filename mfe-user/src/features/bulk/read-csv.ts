import Papa from 'papaparse'
import { numbersOfTable } from './numbers.ts'

/** Files of people's spreadsheets: UTF-8, UTF-16 with its mark, or Windows-1252. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The certificate numbers in the bytes of a CSV file: commas, semicolons or tabs, with or without a heading. */
export function numbersOfCsv(bytes: Uint8Array): string[] {
  const { data } = Papa.parse<string[]>(decode(bytes), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
  })
  return numbersOfTable(data)
}
