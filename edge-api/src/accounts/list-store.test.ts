import { userSorts } from '@portal/contract/admin-users'
import { makeUser } from '@portal/fixtures/factories'
import { fold } from '@portal/format/folding'
import { desc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { users } from '../db/schema/accounts.ts'
import { seed } from '../seed/seed.ts'
import { type AccountKey, listUsers, listUsersAfter, listUsersSorted } from './list-store.ts'
import { insertUser, updateAccount, updateProfile } from './store.ts'
import { toSearchText } from './text-store.ts'

let setup: TestSetup
beforeAll(async () => {
  setup = await openTestSetup()
  await seed(setup.ports, setup.database)
})
afterAll(() => setup.close())

const find = async (search: string, overrides: Partial<Parameters<typeof listUsers>[1]> = {}) => {
  const found = await listUsers(setup.database.read, {
    search,
    roles: [],
    status: undefined,
    page: 1,
    perPage: 100,
    ...overrides,
  })
  return { total: found.total, isMinimum: found.isMinimum, emails: found.rows.map(({ email }) => email) }
}

async function newPerson(
  email: string,
  firstname: string,
  lastname: string,
  middlename: string | null = null,
) {
  const id = crypto.randomUUID()
  const at = setup.ports.time
  const { phone, address } = makeUser()
  const row = { id, email, firstname, middlename, lastname, phone, address, role: 'user' as const }
  await setup.database.write(tx =>
    insertUser(tx, { ...row, isEnabled: true, passwordHash: '-', createdAt: at, updatedAt: at }),
  )
  return id
}

/**
 * Returns whether an account contains every word, in any order: a word of three letters or more matches anywhere, a shorter
 * one only at the beginning of a word.
 */
function containsWords(row: Parameters<typeof toSearchText>[0], text: string): boolean {
  const searchableText = toSearchText(row)
  const textWords = searchableText.split(/[^\p{L}\p{N}]+/u)
  return fold(text.trim())
    .split(/\s+/)
    .every(word =>
      word.length >= 3
        ? searchableText.includes(word)
        : textWords.some(textWord => textWord.startsWith(word)),
    )
}

test('finds accounts by words of addresses, names and phone numbers like a full scan, newest first', {
  tags: ['REGISTER-33'],
}, async () => {
  const all = (await setup.database.read.select().from(users)).filter(row => row.erasedAt === null)
  const phone = all.find(row => row.phone !== '')?.phone ?? ''
  const texts = [
    '',
    'a',
    'de',
    'demo',
    'DEMO.TEST',
    'amina danj',
    'danj amina',
    'harmattan',
    'foods amina',
    'amina d',
    'd amina',
    'a d',
    '@demo',
    'xyz',
    'o\n',
  ]
  for (const text of [...texts, phone, phone.replace(/\D/g, ''), '08', 'amina 08']) {
    const expected = all
      .filter(row => containsWords(row, text))
      .sort((a, b) => b.createdAt - a.createdAt || (b.id > a.id ? 1 : -1))
      .map(({ email }) => email)
    expect([text, await find(text)]).toEqual([
      text,
      { total: expected.length, isMinimum: false, emails: expected },
    ])
  }
  // Punctuation is not part of a word.
  for (const text of ['@', '"', '%', '*', "';", '--'])
    expect([text, (await find(text)).total]).toEqual([text, 0])
})

test('ignores case and diacritics, and finds a changed account by its new values only', async () => {
  const id = await newPerson('zebulon@one.test', 'Ọmọ́lará', 'Ẹ̀hìndé', 'Zẹ̀bùlónì')
  for (const search of ['omolara ehinde', 'ỌMỌLARA', 'Omolara Zebuloni Ehinde', 'zebulon@one'])
    expect((await find(search)).emails).toEqual(['zebulon@one.test'])
  const at = setup.ports.time
  await setup.database.write(tx =>
    updateAccount(tx, { id, version: 1, change: { email: 'moved@two.test', lastname: 'Ṣówándé' }, now: at }),
  )
  expect((await find('ehinde')).total).toBe(0)
  expect((await find('omolara sowande')).emails).toEqual(['moved@two.test'])
  const fields = { firstname: 'Plain', middlename: null, lastname: 'Name', phone: '', address: '' }
  await setup.database.write(tx => updateProfile(tx, { id, version: 2, fields, now: at }))
  expect((await find('sowande')).total).toBe(0)
  expect((await find('plain name')).emails).toEqual(['moved@two.test'])
  await setup.database.write(tx =>
    updateProfile(tx, { id, version: 3, fields: { ...fields, phone: '+234 (803) 555-7731' }, now: at }),
  )
  const address = 'Ọjà Àtẹ́ Limited, 4 Marina Walk'
  await setup.database.write(tx =>
    updateProfile(tx, {
      id,
      version: 4,
      fields: { ...fields, phone: '+234 (803) 555-7731', address },
      now: at,
    }),
  )
  expect((await find('ate oja plain')).emails).toEqual(['moved@two.test'])
  expect((await find('marina plain')).total).toBe(0)
  for (const search of ['8035557731', '08035557731', '+2348035557731', 'name 555-77', '(803) plain'])
    expect([search, (await find(search)).emails]).toEqual([search, ['moved@two.test']])

  await setup.database.client.execute({ sql: 'delete from users where id = ?', args: [id] })
  expect((await find('plain name')).total).toBe(0)
  for (const index of ['user_search', 'user_word_search'])
    await setup.database.client.execute(`insert into ${index} (${index}) values ('integrity-check')`)
})

test('a renamed account moves to its new place in the order by last name, which ignores case and diacritics', async () => {
  const id = await newPerson('moving@order.test', 'Tunde', 'Ọ̀ṣúndíran')
  await newPerson('other@order.test', 'Sade', 'Oyelaran')
  const order = async () => {
    const filter = { search: 'order.test', roles: [], status: undefined, from: undefined, before: undefined }
    const listed = await listUsersSorted(setup.database.read, {
      ...filter,
      sort: 'lastname',
      page: 1,
      perPage: 10,
    })
    return listed.rows.map(({ lastname }) => lastname)
  }
  const rename = (version: number, lastname: string) =>
    setup.database.write(tx =>
      updateAccount(tx, { id, version, change: { lastname }, now: setup.ports.time }),
    )
  expect(await order()).toEqual(['Ọ̀ṣúndíran', 'Oyelaran'])
  await rename(1, 'zubair')
  expect(await order()).toEqual(['Oyelaran', 'zubair'])
  await rename(2, 'ẸBÙN')
  expect(await order()).toEqual(['ẸBÙN', 'Oyelaran'])
  const fields = { firstname: 'Tunde', middlename: null, lastname: 'Yusuf', phone: '', address: '' }
  await setup.database.write(tx => updateProfile(tx, { id, version: 3, fields, now: setup.ports.time }))
  expect(await order()).toEqual(['Oyelaran', 'Yusuf'])
})

test('a search can be filtered by role and status, and its pages do not overlap', async () => {
  for (let i = 0; i < 5; i++) await newPerson(`pager${i}@pages.test`, 'Pager', `Nr${i}`)
  expect((await find('pager', { roles: ['admin'] })).total).toBe(0)
  expect((await find('pager', { status: 'unverified' })).total).toBe(5)
  expect((await find('pager', { status: 'verified' })).total).toBe(0)
  expect((await find('pa', { roles: ['user'], status: 'unverified' })).total).toBe(5)
  const [firstPage, secondPage] = [
    await find('pager', { perPage: 3 }),
    await find('pager', { perPage: 3, page: 2 }),
  ]
  expect([
    firstPage.total,
    secondPage.total,
    new Set([...firstPage.emails, ...secondPage.emails]).size,
  ]).toEqual([5, 5, 5])
})

test('when most rows match a search, stops counting at the limit and returns the newest rows first', async () => {
  const { client } = setup.database
  await client.execute(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 12000)
    insert into users (id, email, firstname, lastname, password_hash, role, is_enabled, created_at, updated_at)
    select 'many-' || i, 'many' || i || '@crowd.test', 'Many', 'People', '-', iif(i % 2, 'user', 'admin'), i % 3 > 0, i * 60000, i from n`)
  const first = await find('crowd.test', { perPage: 3 })
  expect(first).toEqual({
    total: 1000,
    isMinimum: true,
    emails: ['many12000@crowd.test', 'many11999@crowd.test', 'many11998@crowd.test'],
  })
  expect(await find('crowd.test', { perPage: 2, roles: ['user'] })).toEqual({
    total: 1000,
    isMinimum: true,
    emails: ['many11999@crowd.test', 'many11997@crowd.test'],
  })
  expect((await find('many77@')).emails).toEqual(['many77@crowd.test'])
})

test.each(userSorts.flatMap(sort => [[sort, 'demo', 9] as const, [sort, 'many111', 111] as const]))(
  'pages and export sorted by %s for the search %s have the same rows in the same order',
  async (sort, search, total) => {
    const filter = { search, roles: [], status: undefined, from: undefined, before: undefined, sort } as const
    const paged: string[] = []
    for (let page = 1; page < 100; page++) {
      const { rows } = await listUsersSorted(setup.database.read, { ...filter, page, perPage: 7 })
      if (rows.length === 0) break
      paged.push(...rows.map(({ id }) => id))
    }
    const exported: string[] = []
    for (let afterRow: AccountKey | undefined; ; ) {
      const { rows, next } = await listUsersAfter(setup.database.read, { ...filter, afterRow, limit: 5 })
      exported.push(...rows.map(({ id }) => id))
      if (!next) break
      afterRow = next
    }
    expect([exported.length, new Set(exported).size]).toEqual([total, total])
    expect(exported).toEqual(paged)
  },
)

test('counts and shows at most 10,000 accounts of a sorted list, but exports all of them', async () => {
  const filter = { search: '', roles: [], status: undefined, from: undefined, before: undefined } as const
  for (const sort of userSorts) {
    const listPage = (page: number) =>
      listUsersSorted(setup.database.read, { ...filter, sort, page, perPage: 100 })
    expect(await listPage(100)).toMatchObject({ total: 10_000, isMinimum: true, rows: { length: 100 } })
    expect(await listPage(101)).toMatchObject({ total: 10_000, rows: [] })
  }
  const exported = await listUsersAfter(setup.database.read, {
    ...filter,
    sort: 'lastname',
    afterRow: { key: 'people', createdAt: 240_000, id: 'many-4' },
    limit: 1,
  })
  expect(exported.rows).toMatchObject([{ id: 'many-3' }])
})

test('deep pages contain the same accounts as a full scan, with any filter', async () => {
  const all = (
    await setup.database.read.select().from(users).orderBy(desc(users.createdAt), desc(users.id))
  ).filter(row => row.erasedAt === null)
  const filters: [Partial<Parameters<typeof listUsers>[1]>, (row: (typeof all)[number]) => boolean][] = [
    [{}, () => true],
    [{ roles: ['user'] }, ({ role }) => role === 'user'],
    [{ roles: ['admin', 'super_admin'] }, ({ role }) => role !== 'user'],
    [{ status: 'disabled' }, ({ isEnabled }) => !isEnabled],
    [
      { roles: ['admin', 'user'], status: 'unverified' },
      row => row.role !== 'super_admin' && !row.verifiedAt,
    ],
  ]
  for (const [filter, matches] of filters) {
    const matchingRows = all.filter(matches)
    for (const page of [1, 21, 22, 30, Math.ceil(matchingRows.length / 50), 1000]) {
      const emails = matchingRows.slice((page - 1) * 50, page * 50).map(({ email }) => email)
      const found = await find('', { ...filter, page, perPage: 50 })
      expect([filter, page, found]).toEqual([
        filter,
        page,
        { total: matchingRows.length, isMinimum: false, emails },
      ])
    }
  }
})
