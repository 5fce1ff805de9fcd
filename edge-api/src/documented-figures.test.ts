import { readFileSync } from 'node:fs'
import path from 'node:path'
import { MAX_IMAGE_BYTES } from '@portal/contract/admin-settings'
import { CHECK_FILE_MAX } from '@portal/contract/letter-files'
import { BULK_MAX } from '@portal/contract/verification-bulk'
import { describe, expect, test } from 'vitest'
import { createHashQueue } from './accounts/passwords.ts'
import { SESSION_LIFETIME_MS } from './accounts/sign-in-rules.ts'
import { LIST_TTL_MS } from './letters/status-list.ts'
import { limits } from './limits/rules.ts'
import { connectionLimits } from './listener/listen.ts'
import { BODY_TIMEOUT_MS, MAX_LAG_MS, MIN_BYTES_PER_SECOND } from './listener/timed-body.ts'
import { MAX_NOTIFICATIONS } from './notifications/store.ts'
import { RUN_LEASE_MS } from './payments/reconcile.ts'
import { GATEWAY_TIMEOUT_MS, requeryAges } from './payments/schedule.ts'
import { LEASE_MS as UPLOAD_LEASE } from './uploads/lease.ts'

/* Compares figures in documents with the constants that they describe. */

const MEBIBYTE = 1024 * 1024
const SECOND = 1000
const UNITS: Record<string, number> = { SECOND, MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 }

const textOf = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
const product = (factors: string) =>
  factors
    .split('*')
    .reduce((result, factor) => result * (UNITS[factor.trim()] ?? Number(factor.replaceAll('_', ''))), 1)

/** Reads the value of a constant that its file does not export. */
function readConstant(file: string, name: string): number {
  const value = product(new RegExp(`const ${name} = ([\\w *]+)$`, 'm').exec(textOf(file))?.[1] ?? 'missing')
  if (Number.isNaN(value)) throw new Error(`${file} has no ${name}`)
  return value
}

/** Returns the default of a variable, from its schema. */
function defaultOf(name: string): number {
  const schema = new RegExp(`^  ${name}: z[\\s\\S]*?\\.default\\(([\\w *]+)\\)`, 'm').exec(
    textOf('environment-variables.ts'),
  )?.[1]
  return product(schema ?? '')
}

const { slots, maxWaiting } = createHashQueue(4)
const waitingPerSlot = maxWaiting / slots
const maxUploadBytes = defaultOf('UPLOAD_MAX_BYTES')
const maxUploadRows = defaultOf('UPLOAD_MAX_ROWS')
const maxWorkerUploadMb = readConstant('runtimes/worker.ts', 'UPLOAD_LIMIT_BYTES') / MEBIBYTE
const minFreeDisk = readConstant('health/handlers.ts', 'MIN_FREE_DISK_BYTES') / MEBIBYTE
const formatSeconds = (milliseconds: number) => `${milliseconds / SECOND} s`
const [shortest = 0, ...rest] = requeryAges
const longest = rest.at(-1) ?? 0
const mailDelays = /RETRY_DELAYS_MS = \[([^\]]+)\]/.exec(textOf('mail/outbox.ts'))?.[1] ?? ''
const retryDelays = mailDelays.split(',').map(product)

const documents: Record<string, readonly string[]> = {
  'docs/security.md': [
    `(one hash at a time per processor, leaving one processor free, ${waitingPerSlot} waiting for each of these, then 503)`,
    `CSV uploads (${maxUploadBytes / MEBIBYTE} MB, \`UPLOAD_MAX_BYTES\`, and ${maxUploadRows.toLocaleString('en')} rows, \`UPLOAD_MAX_ROWS\``,
    `| ${maxUploadBytes / MEBIBYTE} MB | only rows are stored`,
    `| ${MAX_IMAGE_BYTES / 1000} kB | PNG and JPEG are parsed completely`,
    `| ${CHECK_FILE_MAX / MEBIBYTE} MB | read, never stored`,
    `bulk checks (${BULK_MAX} numbers)`,
    `ZIPs of letters (one letter at a time, ${limits.letter_archives.max} an hour), own data (${limits.data_exports.max} an hour)`,
    `scrypt N=2^${defaultOf('PASSWORD_COST')}, r=8, p=3, salt of ${8 * readConstant('accounts/passwords.ts', 'SALT_BYTES')} bits`,
    `the newest ${MAX_NOTIFICATIONS} per account`,
    `\`BACKUP_KEEP_DAYS\`, ${defaultOf('BACKUP_KEEP_DAYS')}`,
    `remove the old one after ${SESSION_LIFETIME_MS / 3_600_000} h`,
  ],
  'docs/reliability.md': [
    `a write waits up to ${formatSeconds(readConstant('db/database.ts', 'WRITE_TIMEOUT_MS'))} without blocking other requests`,
    `then 503; ${formatSeconds(readConstant('db/database.ts', 'SHORT_WRITE_TIMEOUT_MS'))} each while that lasts`,
    `health shows \`database: error\` below ${minFreeDisk} MB`,
    `a query times out after ${formatSeconds(readConstant('db/server-fetch.ts', 'RESPONSE_TIMEOUT_MS'))};`,
    `password hashing leaves one processor free; ${waitingPerSlot} wait for each hash in progress`,
    `leases expire after ${formatSeconds(UPLOAD_LEASE)} to ${RUN_LEASE_MS / 60_000} minutes`,
    `${formatSeconds(connectionLimits.head)} for request headers, ${MIN_BYTES_PER_SECOND} bytes a second for a body, ${formatSeconds(connectionLimits.silence)} without a byte`,
    `the requery schedule, ${formatSeconds(shortest)} to ${longest / 86_400_000} days`,
    `changes nothing; ${formatSeconds(GATEWAY_TIMEOUT_MS)} per call`,
    `${formatSeconds(retryDelays[0] ?? 0)}, ${retryDelays
      .slice(1, 4)
      .map(wait => `${wait / 60_000} min`)
      .join(', ')}, ${retryDelays
      .slice(4, -1)
      .map(wait => wait / 3_600_000)
      .join(', ')} and ${(retryDelays.at(-1) ?? 0) / 3_600_000} hours between attempts`,
  ],
  'docs/runbook.md': [
    `after ${SESSION_LIFETIME_MS / 3_600_000} hours (sessions)`,
    `Below ${minFreeDisk} MB writes begin to fail`,
    `the newest ${MAX_NOTIFICATIONS} per account`,
    `\`BACKUP_KEEP_DAYS\` (${defaultOf('BACKUP_KEEP_DAYS')})`,
  ],
  'docs/gateways.md': [`${readConstant('adapters/gateway-http.ts', 'MAX_BYTES') / 1024} KiB at most`],
  'docs/backup.md': [
    `| \`BACKUP_EVERY_HOURS\` | ${defaultOf('BACKUP_EVERY_HOURS')} |`,
    `| \`BACKUP_KEEP_DAYS\` | ${defaultOf('BACKUP_KEEP_DAYS')} |`,
  ],
  'docs/deploy.md': [
    `bodies of ${maxUploadBytes / MEBIBYTE} MB`,
    `request headers after ${formatSeconds(connectionLimits.head)}, bodies after ${formatSeconds(MAX_LAG_MS)} below ${MIN_BYTES_PER_SECOND} bytes a second, connections without a byte after ${formatSeconds(connectionLimits.silence)}, and connections without a next request after ${formatSeconds(connectionLimits.nextRequest)}`,
    `Uploads are limited to ${maxWorkerUploadMb} MB`,
  ],
  'docs/letters.md': [
    `(${limits.letter_misses.max} an hour from an address)`,
    `of at most ${CHECK_FILE_MAX / MEBIBYTE} MB`,
    `takes more than ${readConstant('adapters/timestamp-service.ts', 'TIMEOUT_MS') / SECOND} seconds`,
    `not used for ${readConstant('adapters/timestamp-service.ts', 'PAUSE_AFTER_FAILURE_MS') / SECOND} seconds`,
    `Lists may be cached for ${LIST_TTL_MS / SECOND} seconds, keys for five minutes`,
  ],
  'docs/decisions/078-http-server-timeouts.md': [
    `${MIN_BYTES_PER_SECOND} bytes a second after ${formatSeconds(MAX_LAG_MS)}, ${formatSeconds(BODY_TIMEOUT_MS)} in all`,
  ],
  'docs/configuration.md': [
    `| \`BACKUP_EVERY_HOURS\`, \`BACKUP_KEEP_DAYS\` | \`${defaultOf('BACKUP_EVERY_HOURS')}\`, \`${defaultOf('BACKUP_KEEP_DAYS')}\` |`,
    `| \`PASSWORD_COST\` | \`${defaultOf('PASSWORD_COST')}\` |`,
    `| \`UPLOAD_MAX_BYTES\` | \`${maxUploadBytes}\` | largest upload in bytes (${maxUploadBytes / MEBIBYTE} MB); at most ${maxWorkerUploadMb} MB on workers`,
    `| \`UPLOAD_MAX_ROWS\` | \`${maxUploadRows}\` |`,
    `| \`TRUST_PROXY\` | \`${defaultOf('TRUST_PROXY')}\` |`,
    `| \`RATE_LIMIT_SCALE\`, \`CLOCK_OFFSET_SECONDS\` | \`${defaultOf('RATE_LIMIT_SCALE')}\`, \`${defaultOf('CLOCK_OFFSET_SECONDS')}\` |`,
  ],
}

describe.each(Object.keys(documents))('%s', { tags: ['QUALITY-60'] }, document => {
  const text = textOf(`../../${document}`).replace(/\s+/g, ' ')
  test.each(documents[document] ?? [])('states %s', { tags: ['QUALITY-60'] }, figure => {
    expect(text).toContain(figure)
  })
})

test('signing keys may be cached for five minutes', () => {
  expect(readConstant('letters/well-known.ts', 'KEYS_TTL_MS')).toBe(5 * 60_000)
})
