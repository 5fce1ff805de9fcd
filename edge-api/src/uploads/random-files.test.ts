import type { ReportRow } from '@portal/contract/admin-uploads'
import { makeSampler } from '@portal/fixtures/exhaustive'
import { createRandom, type Random } from '@portal/fixtures/random'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createTemporaryDatabase,
  createTestPorts,
  type TemporaryDatabase,
  type TestPorts,
} from '../../test/temporary-database.ts'
import { findByNumber } from '../certificates/store.ts'
import type { Ports } from '../ports.ts'
import { runImport } from './job.ts'
import { receive } from './receive.ts'
import { readAllRows } from './report.ts'
import { changeUpload, getUploadBySeq, insertUpload } from './store.ts'

/*
 * Imports random files in every encoding, with mixed line endings, in chunks of any size: each row is imported unchanged or
 * reported with its line. The number in a failure's message is the seed that reproduces the file.
 */

const FILES = 150
const ENCODINGS = [
  'utf-8',
  'utf-8 with a mark',
  'utf-16le',
  'utf-16be',
  'utf-16le with a mark',
  'windows-1252',
  'mixed',
] as const
type Encoding = (typeof ENCODINGS)[number]

const HEADER = [
  'certificate_number',
  'student_name',
  'matric_number',
  'course',
  'graduation_date',
  'grade',
  'department',
]
const PLAIN_NAMES = ['Ada Obi', "O'Brien", 'Femi "Jr" Ade', 'Obi, Chike', '=SUM', 'A;B']
const LATIN = ['Zoë Adé', 'José Müller', 'Françoise Crête', 'ÉMILE ZOLA', 'Ñandú Ångström']
const YORUBA = ['Ọláńrewájú', 'Ṣọlá Xẹ̀míkọ́rẹ́', 'Ẹniọlá']

interface Row {
  line: number
  cells: string[]
  /** Whether the bytes are UTF-8; also true if they are the same in both encodings. */
  utf8: boolean
  expected: 'created' | 'unchanged' | 'failed'
}

let setup: TemporaryDatabase
let ports: Ports & TestPorts
beforeAll(async () => {
  setup = await createTemporaryDatabase()
  ports = Object.assign(createTestPorts(), {
    openDatabase: () => ({ ...setup.database, close: () => undefined }),
    mailbox: undefined,
    gateways: {},
    assets: { get: async () => undefined },
    uploadLimit: 0,
    background: () => undefined,
  })
})
afterAll(() => setup.remove())

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`

function bytesOf(text: string, encoding: Encoding, utf8: boolean): Buffer {
  if (encoding === 'windows-1252' || (encoding === 'mixed' && !utf8)) return Buffer.from(text, 'latin1')
  if (!encoding.startsWith('utf-16')) return Buffer.from(text)
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}

/** Returns a file and the expected outcome of its rows. */
function makeFile(random: Random, seed: number) {
  const encoding = random.pick(ENCODINGS)
  const separator = random.pick([',', ';', '\t'])
  const names = (utf8: boolean) => [
    ...PLAIN_NAMES,
    ...LATIN,
    ...(utf8 && encoding !== 'windows-1252' ? YORUBA : []),
  ]
  const lines: { text: string; utf8: boolean }[] = [
    { text: [...HEADER, 'remarks'].join(separator), utf8: true },
  ]
  const rows: Row[] = []
  for (let count = random.int(1, 25); count > 0; count--) {
    const utf8 = encoding !== 'mixed' || random.chance(0.7)
    const number = `FZ/${2000 + (seed % 20)}/${seed}${String(random.int(0, 12)).padStart(3, '0')}`
    const cells = [
      number,
      random.pick(names(utf8)),
      '',
      random.pick(['Law', 'Arts']),
      '2019-07-07',
      'Pass',
      random.pick(names(utf8)),
    ]
    const kind = random.weighted([
      ['good', 8],
      ['bad', 2],
      ['wide', 1],
      ['stray', 1],
      ['blank', 1],
    ] as const)
    let text = cells
      .map(cell => (random.chance(0.3) || /["',;\t]/.test(cell) ? quote(cell) : cell))
      .join(separator)
    if (kind === 'bad') {
      cells[5] = ''
      text = cells.map(quote).join(separator)
    }
    // Files are decoded in chunks of 64 kB, so some files are made to have characters across chunk boundaries.
    if (random.chance(0.05))
      text +=
        separator + `${random.pick(names(utf8).slice(PLAIN_NAMES.length))} `.repeat(random.int(3000, 9000))
    else text += separator
    if (kind === 'wide') text += `${separator}more`
    if (kind === 'stray') text = `"${number}${separator}Ada Obi`
    if (kind === 'blank') text = random.pick(['', ' ', separator.repeat(3)])
    lines.push({ text, utf8 })
    if (kind === 'blank') continue
    rows.push({ line: lines.length, cells, utf8, expected: kind === 'good' ? 'created' : 'failed' })
  }
  const ends = random.chance(0.5) ? ['\n', '\r\n'] : [random.pick(['\n', '\r\n', '\r'])]
  const mark = encoding.endsWith('mark') ? '\ufeff' : ''
  const parts = lines.map(({ text, utf8 }, index) =>
    bytesOf(
      `${index === 0 ? mark : ''}${text}${index === lines.length - 1 && random.chance(0.5) ? '' : random.pick(ends)}`,
      encoding,
      utf8,
    ),
  )
  const textOf = (row: Row) => lines[row.line - 1]?.text ?? ''
  const hasNonAscii = (row: Row) => /[^\0-\x7f]/.test(textOf(row))
  const isMixed =
    encoding === 'mixed' &&
    rows.some(row => hasNonAscii(row) && row.utf8) &&
    rows.some(row => hasNonAscii(row) && !row.utf8)
  const first = new Map<string, string>()
  for (const row of rows) {
    if (isMixed && hasNonAscii(row) && !row.utf8) row.expected = 'failed'
    if (row.expected === 'failed') continue
    const key = row.cells[0] ?? ''
    const content = JSON.stringify(row.cells)
    const before = first.get(key)
    if (before === undefined) first.set(key, content)
    else row.expected = before === content ? 'unchanged' : 'failed'
  }
  return { bytes: Buffer.concat(parts), rows, encoding }
}

async function* splitIntoPieces(bytes: Buffer, random: Random) {
  const longest = random.pick([1, 2, 3, 17, 1000])
  for (let at = 0; at < bytes.length; ) {
    const size = random.int(1, longest)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function upload(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const db = setup.database
  const seq = await db.write(tx =>
    insertUpload(tx, {
      id: crypto.randomUUID(),
      uploaderId: 'someone',
      uploaderEmail: 'someone@staff.test',
      ipAddress: '192.0.2.4',
      filename: 'strange.csv',
      dryRun: false,
      onConflict: 'fail',
      dateOrder: null,
      createdAt: ports.time,
      leaseUntil: ports.time + 1000,
    }),
  )
  const total = await receive(ports, db, { seq, bytes, dateOrder: null })
  await db.write(tx => changeUpload(tx, seq, { total, state: 'importing' }))
  await runImport(ports, seq)
  return seq
}

async function readReport(seq: number) {
  const rows: (Omit<ReportRow, 'outcome'> & { outcome: string })[] = []
  for await (const part of readAllRows(setup.database.read, seq)) rows.push(...(part as typeof rows))
  return rows
}

it('imports every row of a file unchanged, or reports it with its line', {
  tags: ['DATA-20'],
}, async () => {
  const isSampled = makeSampler(4)
  for (let seed = 0; seed < FILES; seed++) {
    if (!isSampled(seed)) continue
    const random = createRandom(seed)
    const { bytes, rows, encoding } = makeFile(random, seed)
    const message = `seed ${seed}, ${encoding}: ${JSON.stringify(bytes.toString('latin1').slice(0, 2000))}`
    if (rows.length === 0) continue
    const seq = await upload(splitIntoPieces(bytes, random))
    const row = await getUploadBySeq(setup.database.read, seq)
    expect(row, message).toMatchObject({ state: 'done', total: rows.length })
    const report = await readReport(seq)
    expect(
      report.map(item => [item.row, item.outcome]),
      message,
    ).toEqual(rows.map(each => [each.line, each.expected]))
    for (const { cells, expected } of rows) {
      if (expected === 'failed') continue
      const [certificateNumber = ''] = cells
      expect(await findByNumber(setup.database.read, { certificateNumber }), message).toMatchObject({
        studentName: (cells[1] ?? '').normalize('NFC'),
        course: cells[3],
        department: (cells[6] ?? '').normalize('NFC'),
      })
    }
  }
})
