import { CsvReader } from '@portal/format/csv-reader'
import { expect, test } from 'vitest'
import { rebuildConflictsFile } from './conflicts-file.ts'

const readRows = async (file: File) => {
  const reader = new CsvReader()
  return [...reader.push(await file.text()), ...reader.end()].filter(({ cells }) => cells.join('') !== '')
}

test('rebuilds the file with each row on its original line, under its original name, without the added columns', async () => {
  const conflicts = new Blob([
    'certificate_number,student_name,grade,row,error\r\n',
    'UG/2019/00001,"Obi, Ada",Pass,3,On record with different content: Grade: Merit → Pass\r\n',
    "UG/2019/00002,'=Ada,Pass,4,On record\r\n",
    'UG/2019/00003,Bola,Pass,1200,On record\r\n',
  ])
  const file = await rebuildConflictsFile(conflicts, 'register.csv')
  expect(file.name).toBe('register.csv')
  expect(await readRows(file)).toEqual([
    { line: 1, cells: ['certificate_number', 'student_name', 'grade'] },
    { line: 3, cells: ['UG/2019/00001', 'Obi, Ada', 'Pass'] },
    { line: 4, cells: ['UG/2019/00002', "'=Ada", 'Pass'] },
    { line: 1200, cells: ['UG/2019/00003', 'Bola', 'Pass'] },
  ])
})
