import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mailboxFiles } from './mailbox-files.ts'
import { type CapturingMailbox, mailboxMemory } from './mailbox-memory.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-mailbox-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const buildMail = (subject: string) => ({
  id: crypto.randomUUID(),
  to: 'a@users.test',
  subject,
  text: 'text',
  html: '<p>html</p>',
})
const listSubjects = async (mailbox: CapturingMailbox, limit = 100) =>
  (await mailbox.list(limit)).map(({ subject }) => subject)

describe.each([
  ['in files', () => mailboxFiles(path.join(folder, 'new', 'mailbox'), 3)],
  ['in memory', () => mailboxMemory(3)],
] as const)('a mailbox %s', (_where, createMailbox) => {
  test('is empty at first', async () => {
    expect(await createMailbox().list(10)).toEqual([])
  })

  test('lists the newest email first, even within a millisecond', async () => {
    const mailbox = createMailbox()
    await mailbox.add(buildMail('one'), 1000)
    await mailbox.add(buildMail('two'), 1000)
    const three = buildMail('three')
    await mailbox.add(three, 2000)
    expect(await listSubjects(mailbox)).toEqual(['three', 'two', 'one'])
    expect(await listSubjects(mailbox, 1)).toEqual(['three'])
    expect(await mailbox.list(1)).toEqual([{ ...three, at: 2000 }])
  })

  test('lists an email once, even if it is added again', async () => {
    const mailbox = createMailbox()
    const one = buildMail('one')
    for (const at of [1000, 900_000]) await mailbox.add(one, at)
    await mailbox.add(buildMail('two'), 2000)
    expect(await listSubjects(mailbox)).toEqual(['two', 'one'])
  })
})

test('stored emails survive a restart, and a damaged file does not hide others', async () => {
  const storedMail = buildMail('kept')
  await mailboxFiles(folder).add(storedMail, 1000)
  await mailboxFiles(folder).add(storedMail, 900_000)
  await writeFile(
    path.join(folder, '000000000002000-00000000-00000000-0000-4000-8000-000000000000.json'),
    '{',
  )
  expect(await listSubjects(mailboxFiles(folder))).toEqual(['kept'])
})

test('deletes the oldest emails beyond the capacity', async () => {
  const memory = mailboxMemory(2)
  for (const subject of ['one', 'two', 'three']) await memory.add(buildMail(subject), 1000)
  expect(await listSubjects(memory)).toEqual(['three', 'two'])
  const files = mailboxFiles(folder, 50)
  for (let n = 0; n < 101; n++) await files.add(buildMail(`${n}`), 1000 + n)
  expect(await readdir(folder)).toHaveLength(50)
})
