import { expect, it } from 'vitest'
import { createLineReader } from './ndjson.ts'

it('returns each line once, as soon as it is complete', () => {
  const read = createLineReader()
  const progressLine = '{"type":"progress","processed":5,"total":9}\n'
  expect(read(progressLine.slice(0, 10))).toEqual([])
  expect(read(progressLine)).toEqual([{ type: 'progress', processed: 5, total: 9 }])
  expect(read(progressLine)).toEqual([])
  expect(read(`${progressLine}{"type":"progress","processed":9}\n{"ty`)).toEqual([
    { type: 'progress', processed: 9 },
  ])
})

it('throws an error with the message of an error line', () => {
  const line = '{"type":"error","error":"The service is busy.","code":"DATABASE_UNAVAILABLE"}\n'
  expect(() => createLineReader()(line)).toThrow('The service is busy.')
})
