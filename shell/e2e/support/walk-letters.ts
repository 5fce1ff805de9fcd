import { request } from '../../../edge-api/test/portal.ts'
import { correctCertificate, fetchPdf, issueLetter } from './letters.ts'
import { admin } from './portal.ts'
import { button, enterNumber, heading, waitForLetter } from './verify-flow.ts'
import { logInAs, type Walk } from './walk.ts'

/** Walks through a letter as readers and holders see it, in each of its statuses. */
export async function walkLetters({ page, portal, inspect }: Walk): Promise<void> {
  const { holder, certificate, letter } = await issueLetter(
    {
      address:
        'Harmattan Books and Stationery Wholesale Limited, 14 Marina Road, Floor 2, Calabar, Cross River, Nigeria',
    },
    undefined,
    portal,
  )
  const pdf = await fetchPdf(letter)
  const choose = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer })

  await page.goto('/letters')
  await button(page, 'Check Letter').click()
  await page.getByText('Please enter the code printed on the letter.').waitFor()
  await inspect('letters-error', page)
  await page.goto(`/letters/${letter.code}`)
  await heading(page, /genuine/).waitFor()
  await page.getByRole('checkbox').first().check()
  await choose('letter.pdf', pdf)
  await page.getByText('This PDF is genuine, and its letter is valid').waitFor()
  await inspect('letter-file-genuine', page)
  await choose('scan-of-a-letter-with-a-name-that-is-far-too-long.pdf', Buffer.from('%PDF-1.4\n'))
  await page.getByText(/Not signed by|could not be read/).waitFor()
  await inspect('letter-file-refused', page)
  await page.goto('/letters/credentials')
  await heading(page, 'Verifiable credentials').waitFor()
  await inspect('letter-credentials', page)

  await logInAs(page, portal, holder.email, holder.password)
  await page.goto('/dashboard/history')
  await button(page, `Letter for ${certificate.certificate_number}`).click()
  await page.getByRole('menuitem', { name: 'Download PDF' }).waitFor()
  await inspect('history-letter-menu', page)
  await page.getByRole('menuitem', { name: 'Email to a colleague' }).click()
  await button(page, 'Send').click()
  await page.getByText('Email address is required').waitFor()
  await inspect('letter-email', page)

  await correctCertificate(certificate, { grade: 'Aegrotat' }, portal)
  await page.goto(`/letters/${letter.code}`)
  await heading(page, 'This letter is out of date').waitFor()
  await inspect('letter-superseded', page)
  await page.goto('/dashboard/history')
  await button(page, `Get the corrected letter for ${certificate.certificate_number}`).waitFor()
  await inspect('history-superseded', page)
  await page.goto('/dashboard/verify')
  await enterNumber(page, certificate.certificate_number)
  await waitForLetter(page)
  await inspect('result-superseded', page)

  const { token } = await admin(portal)
  await request('DELETE', `/admin/certificates/${certificate.id}`, { token, portal })
  await page.goto(`/letters/${letter.code}`)
  await heading(page, 'This letter was withdrawn').waitFor()
  await inspect('letter-withdrawn', page)
}
