import { readFileSync } from 'node:fs'
import path from 'node:path'
import { MAX_IMAGE } from '@portal/contract/admin-settings'
import { CHECK_FILE_MAX } from '@portal/contract/letter-files'
import { BULK_MAX } from '@portal/contract/verification-bulk'
import { expect, test } from 'vitest'
import { turnsOn } from './auth/passwords.ts'
import { limits } from './limits/rules.ts'

/* Figures in docs/security.md, compared with the constants that they describe. */

const security = readFileSync(path.join(import.meta.dirname, '../../docs/security.md'), 'utf8').replace(
  /\s+/g,
  ' ',
)
const MEBIBYTE = 1024 * 1024
// The setting's default is not exported, so it is read from its source.
const source = readFileSync(path.join(import.meta.dirname, 'environment.ts'), 'utf8')
const uploadMegabytes = /UPLOAD_MAX_BYTES:[\s\S]*?\.default\((\d+) \* 1024 \* 1024\)/.exec(source)?.[1]

test('docs/security.md gives the limits that the code has', () => {
  const { places, mostWaiting } = turnsOn(4)
  expect(places).toBe(3)
  for (const figure of [
    `(a hash for each processor but one at a time, ${mostWaiting / places} waiting for each of these, then 503)`,
    `CSV uploads (${uploadMegabytes} MB,`,
    `| ${uploadMegabytes} MB | rows alone are kept`,
    `| ${MAX_IMAGE / 1000} kB | PNG and JPEG are read to their end`,
    `| ${CHECK_FILE_MAX / MEBIBYTE} MB | read, never kept`,
    `bulk checks (${BULK_MAX} numbers)`,
    `ZIPs of letters (one letter at a time, ${limits.letter_archives.max} an hour), own data (${limits.data_exports.max} an hour)`,
  ])
    expect(security).toContain(figure)
})
