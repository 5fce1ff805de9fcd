import { decodeText } from '@portal/format/encoding'
import Papa from 'papaparse'
import { numbersOfTable } from './numbers.ts'

/** The certificate numbers in the bytes of a CSV file: commas, semicolons or tabs, with or without a heading. */
export function numbersOfCsv(bytes: Uint8Array): string[] {
  const { data } = Papa.parse<string[]>(decodeText(bytes), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
  })
  return numbersOfTable(data)
}
