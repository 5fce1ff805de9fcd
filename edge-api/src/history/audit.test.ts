import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../test/temporary-database.ts'
import { auditHistory } from './audit.ts'
import { type RecordChange, recordHistory } from './record.ts'
import { redactValues } from './store.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await createTemporaryDatabase()
  // Three log entries, with one, two and one changes.
  await write([gradeChange('a', 1)])
  await write([gradeChange('b', 1), gradeChange('c', 1)])
  await write([gradeChange('a', 2)])
})
afterEach(() => temporary.remove())

const gradeChange = (recordId: string, version: number): RecordChange => ({
  kind: 'certificate',
  recordId,
  version,
  action: 'updated',
  label: `UG/${recordId}`,
  fields: [{ field: 'grade', from: 'Pass', to: `First ${version}` }],
})

const write = (changes: RecordChange[]) =>
  temporary.database.write(tx =>
    recordHistory(
      tx,
      { actor: { id: 'u1', email: 'ada@example.org' }, source: { kind: 'form' }, reason: 'Senate', at: 1000 },
      changes,
      { activity: 'Certificate updated', details: 'UG/a: grade' },
    ),
  )

const execute = (sql: string) => temporary.database.client.execute(sql)
const check = () => auditHistory(temporary.database.read)

/** Alters the history as an attacker with write access to the database, who knows the triggers. */
async function tamper(statement: string) {
  for (const name of ['no_delete', 'no_update', 'blank_only'])
    await execute(`drop trigger record_changes_${name}`)
  await execute(statement)
}

test('reports an unaltered history as intact, even if values were blanked', async () => {
  expect(await check()).toEqual({ unaltered: 4, blanked: 0 })
  await temporary.database.write(tx => redactValues(tx, { kind: 'certificate', recordIds: ['a'] }))
  expect(await check()).toEqual({ unaltered: 4, blanked: 2 })
  const { rows } = await execute("select fields, reason, salt from record_changes where record_id = 'a'")
  expect(rows.flatMap(row => Object.values(row))).toEqual([null, null, null, null, null, null])
})

test('the triggers only allow values to be blanked', async () => {
  for (const statement of [
    'delete from record_changes',
    'update record_changes set version = 9',
    "update record_changes set fields = '[]'",
    "update record_changes set reason = 'other'",
  ])
    await expect(execute(statement)).rejects.toThrow(/history/)
})

test.each([
  ['values', `update record_changes set fields = replace(fields, 'Pass', 'Fail') where id = 3`, 3, 'UG/c'],
  ['an actor', `update record_changes set actor_id = 'u2' where id = 1`, 1, 'UG/a'],
  ['a reason', `update record_changes set reason = null where id = 4`, 4, 'UG/a'],
  ['a salt', `update record_changes set salt = null where id = 2`, 2, 'UG/b'],
])(
  'reports the first change in which %s was altered',
  { tags: ['REGISTER-28'] },
  async (_, statement, id, record) => {
    await tamper(statement)
    expect((await check()).broken).toEqual({ id, record, reason: 'it was altered' })
  },
)

test('reports a change whose values were blanked although its record still exists', {
  tags: ['REGISTER-28'],
}, async () => {
  await execute(`insert into certificates (id, certificate_number, student_name, course, graduation_date, grade,
    department, uploaded_at, updated_at, folded) values ('a', 'UG/a', 'Ada', 'Law', '2020-01-01', 'Pass', 'Law', 1, 1, '')`)
  // The triggers allow this statement.
  await execute("update record_changes set fields = null, reason = null, salt = null where record_id = 'a'")
  expect((await check()).broken).toEqual({ id: 1, record: 'UG/a', reason: 'its values were removed' })
  await execute("delete from certificates where id = 'a'")
  expect(await check()).toEqual({ unaltered: 4, blanked: 2 })
})

test.each([
  [1, 'the first'],
  [3, 'one that shares a log entry'],
  [4, 'the newest'],
])('reports change %i as broken if %s was removed', { tags: ['REGISTER-28'] }, async id => {
  await tamper(`delete from record_changes where id = ${id}`)
  const { broken } = await check()
  expect(broken?.reason).toMatch(/removed/)
  expect(broken?.id).toBe(id)
})

test('reports a change whose digest was replaced, because it contradicts the activity log', {
  tags: ['REGISTER-28'],
}, async () => {
  await tamper(
    `update record_changes set digest = '${'0'.repeat(32)}', fields = null, reason = null, salt = null where id = 1`,
  )
  expect((await check()).broken).toEqual({
    id: 1,
    record: 'UG/a',
    reason: 'entry 1 of the activity log has other changes',
  })
})
