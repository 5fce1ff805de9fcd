import { decodeText } from '@portal/format/encoding'
import Papa from 'papaparse'
import { findNumbersInTable } from './numbers.ts'

/**
 * Extracts the certificate numbers from the bytes of a CSV file, with commas, semicolons or tabs, and with or without a
 * heading.
 */
export function readNumbersOfCsv(bytes: Uint8Array): string[] {
  const { data } = Papa.parse<string[]>(decodeText(bytes), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
  })
  return findNumbersInTable(data)
}
