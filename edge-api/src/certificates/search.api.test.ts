import { expect, test } from 'vitest'
import { newCertificate } from '../../test/portal.ts'
import { uploader } from '../../test/uploads.ts'

/* Tests the search of the register. */

const { call, found } = uploader()

test('ignores diacritics, case and word order, and lists the newest first', async () => {
  const one = await newCertificate({ student_name: 'Ṣọlá Xẹ̀míkọ́rẹ́' })
  const two = await newCertificate({ student_name: 'SOLA XEMIKORE' })
  for (const search of ['xemikore', 'Xẹ̀míkọ́rẹ́ ṣọlá', 'XEMIKORE SOLA']) {
    expect((await found(search)).map((row: { id: string }) => row.id)).toEqual([two.id, one.id])
  }
})

test('matches fewer than three characters only at the start of a number', async () => {
  const mine = await newCertificate({ certificate_number: `QX/${Date.now()}` })
  expect(await found('qx')).toMatchObject([{ id: mine.id }])
  expect(await found('x/')).toEqual([])
})

test('does not find deleted certificates', async () => {
  const mine = await newCertificate({ student_name: 'Vanishing Plumtree' })
  await call('DELETE', `/admin/certificates/${mine.id}`)
  expect(await found('plumtree')).toEqual([])
})

test('returns every page up to the last, and empty pages beyond it', async () => {
  const first = await call('GET', '/admin/certificates?per_page=100')
  const { pages, total } = first.body.pagination
  const last = await call('GET', `/admin/certificates?per_page=100&page=${pages}`)
  expect(last.body.certificates).toHaveLength(total - (pages - 1) * 100)
  const beyond = await call('GET', `/admin/certificates?per_page=100&page=${pages + 1}`)
  expect(beyond.body.certificates).toEqual([])
})
