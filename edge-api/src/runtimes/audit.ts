import { existsSync } from 'node:fs'
import process from 'node:process'
import { commandClient } from '../db/command-client.ts'
import { openDatabase } from '../db/database.ts'
import { auditHistory } from '../history/audit.ts'
import { auditActivityLog } from '../logs/audit.ts'

/* `npm run audit:verify`. Exits with 1 if the log was altered, and with 2 if it could not be checked. */

const { DATABASE_URL: url = 'file:.data/portal.db', DATABASE_AUTH_TOKEN: authToken } = process.env

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function parseRecordedHead(argument: string | undefined) {
  if (argument === undefined) return undefined
  const [, sealedId, hash] = /^(\d+):([0-9a-f]{64})$/.exec(argument) ?? []
  if (!sealedId || !hash) fail(`${argument} is not a head. Example: npm run audit:verify -- 1234:9f86d0…`)
  return { sealedId: Number(sealedId), hash }
}

async function runAudits() {
  const head = parseRecordedHead(process.argv[2])
  const file = /^file:(.+)$/.exec(url)?.[1]
  // Opening a missing file would create an empty database, whose log would count as intact.
  if (file && !existsSync(file)) fail(`DATABASE_URL: there is no database at ${file}.`)
  const client = commandClient(url, authToken)
  try {
    const database = openDatabase(client, { serialiseWrites: false })
    return { log: await auditActivityLog(database, head), history: await auditHistory(database.read) }
  } catch (error) {
    fail(`The log could not be read: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    client.close()
  }
}

const { log, history } = await runAudits()
const { unaltered, erased, waiting, head, broken } = log
if (broken) {
  process.stdout.write(
    `Entry ${broken.id} of the activity log: ${broken.reason}. The ${unaltered} entries before it are intact.\n`,
  )
  process.exitCode = 1
} else {
  process.stdout.write(
    `The activity log is intact: ${unaltered} entries sealed, ${erased} of them erased; ${waiting} not sealed yet.\n`,
  )
  if (head) process.stdout.write(`Head, to be stored elsewhere: ${head.sealedId}:${head.hash}\n`)
}

if (history.broken) {
  const { id, record, reason } = history.broken
  process.stdout.write(`Change ${id} of the history${record && `, of ${record}`}: ${reason}.\n`)
  process.exitCode = 1
} else {
  process.stdout.write(
    `The history is intact: ${history.unaltered} changes, ${history.blanked} of them with erased values.\n`,
  )
}
