import { expect, test } from 'vitest'
import { newCertificate } from '../../test/portal.ts'
import { setUpUploads } from '../../test/uploads.ts'

/* Tests the search of the register. */

const { call, findCertificates } = setUpUploads()

test('ignores diacritics, case and word order, and lists the newest first', async () => {
  const older = await newCertificate({ student_name: 'Ṣọlá Xẹ̀míkọ́rẹ́' })
  const newer = await newCertificate({ student_name: 'SOLA XEMIKORE' })
  for (const search of ['xemikore', 'Xẹ̀míkọ́rẹ́ ṣọlá', 'XEMIKORE SOLA']) {
    expect((await findCertificates(search)).map((row: { id: string }) => row.id)).toEqual([
      newer.id,
      older.id,
    ])
  }
})

test('matches fewer than three characters only at the start of a number', async () => {
  const certificate = await newCertificate({ certificate_number: `QX/${Date.now()}` })
  expect(await findCertificates('qx')).toMatchObject([{ id: certificate.id }])
  expect(await findCertificates('x/')).toEqual([])
})

test('does not find deleted certificates', async () => {
  const certificate = await newCertificate({ student_name: 'Vanishing Plumtree' })
  await call('DELETE', `/admin/certificates/${certificate.id}`)
  expect(await findCertificates('plumtree')).toEqual([])
})

test('returns every page up to the last, and empty pages beyond it', async () => {
  const firstPage = await call('GET', '/admin/certificates?per_page=100')
  const { pages, total } = firstPage.body.pagination
  const lastPage = await call('GET', `/admin/certificates?per_page=100&page=${pages}`)
  expect(lastPage.body.certificates).toHaveLength(total - (pages - 1) * 100)
  const pageBeyond = await call('GET', `/admin/certificates?per_page=100&page=${pages + 1}`)
  expect(pageBeyond.body.certificates).toEqual([])
})
