import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { request, waitForMails } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import {
  addCertificate,
  correctCertificate,
  fetchPdf,
  issueLetter,
  newHolder,
  payFor,
} from './support/letters.ts'
import { waitForHydration } from './support/live.ts'
import { admin, createCertificate, portal } from './support/portal.ts'
import { button, enterNumber, heading, readFact, waitForLetter } from './support/verify-flow.ts'

// A browser with windows is needed by the one test that opens the file dialog.
withChromium({ windows: true })

const GENUINE = 'This letter is genuine and still valid'
const addDashes = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')
const fileInput = (page: Page) => page.locator('input[type=file]')
const file = (name: string, buffer: Buffer, mimeType = 'application/pdf') => ({ name, mimeType, buffer })

describe('the public page of a letter', () => {
  test('shows a letter as genuine, then as withdrawn when the admin deletes the certificate, and the holder gets an email', {
    tags: ['LETTER-1'],
  }, async () => {
    const { holder, certificate: entered, letter } = await issueLetter()
    const hiddenFields = { department: 'Department of the Unsaid', matric_number: 'UNSAID/2019/1' }
    await correctCertificate(entered, hiddenFields)
    const reader = await visit()
    await reader.page.goto('/letters')
    await reader.page.getByLabel('Letter code').fill(addDashes(letter.code).toLowerCase())
    await button(reader.page, 'Check Letter').click()
    await heading(reader.page, GENUINE).waitFor()
    expect(new URL(reader.page.url()).pathname).toBe(`/letters/${letter.code}`)
    expect(await reader.page.getByText(/^As of /).textContent()).toMatch(
      /^As of \w+ \d+, \d{4}, \d+:\d\d:\d\d [AP]M/,
    )
    expect(await readFact(reader.page, 'Name')).toContain(entered.student_name)
    expect(await readFact(reader.page, 'Code')).toContain(addDashes(letter.code))
    for (const hiddenText of [hiddenFields.department, hiddenFields.matric_number, holder.email])
      expect(await reader.page.getByRole('main').textContent()).not.toContain(hiddenText)

    // Ticks off every particular of the letter.
    const boxes = await reader.page.getByRole('checkbox').all()
    for (const box of boxes) await box.check()
    await reader.page.getByText(`All ${boxes.length} match`).waitFor()

    const staff = await visit({ as: await admin() })
    const number = entered.certificate_number
    await staff.page.goto(`/dashboard/certificates?search=${encodeURIComponent(number)}`)
    await staff.page
      .getByRole('row')
      .filter({ hasText: number })
      .getByRole('button', { name: /^Delete/ })
      .click()
    const dialog = staff.page.getByRole('alertdialog')
    await dialog.getByText('1 letter issued for it will be withdrawn').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })

    await button(reader.page, 'Check again').click()
    await heading(reader.page, 'This letter was withdrawn').waitFor()
    expect(await reader.page.getByRole('checkbox').count()).toBe(0)
    expect(await reader.page.getByRole('main').textContent()).not.toMatch(/fake|forged|fraud/i)
    const [mail] = await waitForMails(holder.email, { atLeast: 3, portal: portal() })
    expect(mail).toMatchObject({ subject: 'Your verification letter was withdrawn' })
    expect(mail?.text).toContain(number)
    expect(mail?.text).not.toContain(entered.student_name)
  })

  test('shows a letter as out of date after a correction, and the holder gets the corrected letter', {
    tags: ['LETTER-4'],
  }, async () => {
    const { holder, certificate: entered, letter } = await issueLetter()
    await correctCertificate(entered, { grade: 'Aegrotat' })
    const reader = await visit()
    await reader.page.goto(`/letters/${letter.code}`)
    await heading(reader.page, 'This letter is out of date').waitFor()
    expect(await readFact(reader.page, 'Class')).toContain(entered.grade)

    const { page } = await visit({ as: holder })
    await page.goto('/dashboard/history')
    const row = page.getByRole('row').filter({ hasText: entered.certificate_number })
    await row.getByText('Superseded').waitFor()
    await row.getByRole('button', { name: /corrected letter/ }).click()
    await row.getByText('Valid', { exact: true }).waitFor()
    await page.getByText('The corrected letter was issued.').waitFor()

    await page.goto('/dashboard/verify')
    await enterNumber(page, entered.certificate_number)
    await waitForLetter(page)
    expect(await readFact(page, 'Grade')).toBe('Aegrotat')
    expect(await page.getByRole('article', { name: 'Verification letter' }).textContent()).toContain(
      'Aegrotat',
    )
    const { body } = await request('GET', '/verification/history', { token: holder.token, portal: portal() })
    const { code, status } = body.history[0].letter
    expect(status).toBe('valid')
    expect(code).not.toBe(letter.code)
    await reader.page.goto(`/letters/${code}`)
    await heading(reader.page, GENUINE).waitFor()
    expect(await readFact(reader.page, 'Class')).toContain('Aegrotat')
    await reader.page.goto(`/letters/${letter.code}`)
    await heading(reader.page, 'This letter is out of date').waitFor()
  })

  test('the result screen shows that a letter is out of date, and offers the corrected one', {
    tags: ['LETTER-4'],
  }, async () => {
    const { holder, certificate: entered } = await issueLetter()
    await correctCertificate(entered, { course: 'B.Sc. Another Course' })
    const { page } = await visit({ as: holder })
    await page.goto('/dashboard/verify')
    await enterNumber(page, entered.certificate_number)
    const sheet = page.getByRole('article', { name: 'Verification letter' })
    await sheet.getByText('Superseded').waitFor()
    await button(page, 'Get the corrected letter').click()
    await sheet.getByText('B.Sc. Another Course').waitFor()
    expect(await sheet.getByText('Superseded').count()).toBe(0)
    expect(await readFact(page, 'Course')).toBe('B.Sc. Another Course')
  })

  test('does not call a code that is unknown or too short a forgery', {
    tags: ['LETTER-1'],
  }, async () => {
    const { page, problems } = await visit()
    problems.expect(/404/)
    await page.goto('/letters')
    await page.getByLabel('Letter code').fill('ABCD')
    await button(page, 'Check Letter').click()
    await page.getByText('A letter code has 12 characters; this one has 4 characters.').waitFor()
    await page.getByLabel('Letter code').fill('0000-0000-0000')
    await button(page, 'Check Letter').click()
    await heading(page, 'No letter has this code').waitFor()
    expect(await page.getByRole('main').textContent()).not.toMatch(/fake|forged|fraud/i)
    // The code is kept so that it can be corrected, and Back restores it as it was typed.
    expect(await page.getByLabel('Letter code').inputValue()).toBe('0000-0000-0000')
    await page.goBack()
    await heading(page, 'Check a letter').waitFor()
    expect(await page.getByLabel('Letter code').inputValue()).toBe('0000-0000-0000')
  })

  test('restores the code as it was typed when the reader goes back', async () => {
    const { letter } = await issueLetter()
    const { page } = await visit()
    await page.goto('/letters')
    const typed = addDashes(letter.code).toLowerCase()
    await page.getByLabel('Letter code').fill(typed)
    await button(page, 'Check Letter').click()
    await heading(page, 'This letter is genuine and still valid').waitFor()
    await page.goBack()
    await heading(page, 'Check a letter').waitFor()
    expect(await page.getByLabel('Letter code').inputValue()).toBe(typed)
  })

  test('makes no statement about the letter after too many checks or without a connection', {
    tags: ['LETTER-1'],
  }, async () => {
    const { letter } = await issueLetter()
    const { page, context, problems } = await visit()
    problems.expect(/429|ERR_INTERNET_DISCONNECTED|Failed to fetch/)
    const response = { error: 'Too many attempts. Please wait a while and try again.', code: 'RATE_LIMITED' }
    await page.route('**/api/letters/*', route =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '120' },
        json: { ...response, request_id: 'x' },
      }),
    )
    await page.goto(`/letters/${letter.code}`)
    await heading(page, 'Too many checks for now').waitFor()
    await page.getByText('Try again in 2 minutes.').waitFor()
    await page.unroute('**/api/letters/*')
    await button(page, 'Try again').click()
    await heading(page, GENUINE).waitFor()

    // The page still shows how old its data is.
    const before = await page.getByText(/^As of /).textContent()
    await context.setOffline(true)
    await button(page, 'Check again').click()
    await page.getByText('You are offline. The letter will be checked as soon as').waitFor()
    expect(await page.getByText(/^As of /).textContent()).toBe(before)
    await context.setOffline(false)
  })
})

describe('the letter as a file', () => {
  test('is reported, whether chosen or dropped, as genuine, altered (after a change of one byte), not signed by the institution, or unreadable', {
    tags: ['LETTER-2'],
  }, async () => {
    const { letter } = await issueLetter()
    const pdf = await fetchPdf(letter)
    const { page } = await visit()
    await page.goto(`/letters/${letter.code}`)
    await heading(page, GENUINE).waitFor()
    await fileInput(page).setInputFiles(file('letter.pdf', pdf))
    await page.getByText('This PDF is genuine, and its letter is valid').waitFor()
    await page.getByText('It is the letter on this page.').waitFor()

    const altered = Buffer.from(pdf)
    // This byte belongs to the drawn content; the signature comes later in the file.
    const offset = Math.floor(pdf.length / 10)
    altered[offset] = (altered[offset] ?? 0) ^ 1
    await dropFile(page, 'altered.pdf', altered)
    await page.getByText('This PDF was altered').waitFor()

    await fileInput(page).setInputFiles(file('scan.pdf', Buffer.from('%PDF-1.4\n%%EOF\n')))
    await page.getByText(/Not signed by this institution|could not be read/).waitFor()
    await fileInput(page).setInputFiles(file('holiday.txt', Buffer.from('Dear all'), 'text/plain'))
    await page.getByText('This file could not be read').waitFor()
    await fileInput(page).setInputFiles(file('large.pdf', Buffer.alloc(5 * 1024 * 1024 + 1)))
    await page.getByText('larger than 5 MB').waitFor()

    // The page that explains credentials can also check one.
    const credential = Buffer.from(await (await fetch(letter.credential_url)).arrayBuffer())
    await page.goto('/letters/credentials')
    await fileInput(page).setInputFiles(file('letter.jwt', credential, 'application/vc+jwt'))
    await page.getByText('This credential is genuine, and its letter is valid').waitFor()
    await page.getByRole('link', { name: `Go to letter ${addDashes(letter.code)}` }).click()
    await heading(page, GENUINE).waitFor()
  })

  test('is never shown as valid if the letter is superseded, even if the file is genuine', {
    tags: ['LETTER-2'],
  }, async () => {
    const { certificate: entered, letter } = await issueLetter()
    const pdf = await fetchPdf(letter)
    await correctCertificate(entered, { grade: 'Aegrotat' })
    const { page } = await visit()
    await page.goto('/letters')
    await fileInput(page).setInputFiles(file('letter.pdf', pdf))
    await page.getByText('This PDF is genuine, but its letter is not valid').waitFor()
  })

  test('can be chosen by keyboard, and a file dropped next to the field does not replace the page', {
    tags: ['LETTER-2'],
  }, async () => {
    const { page } = await visit()
    await page.goto('/letters')
    await waitForHydration(page)
    // Listens for the dialog before opening it, because the browser needs a moment before it intercepts file dialogs.
    const fileChooserOpened = page.waitForEvent('filechooser')
    await page.getByLabel('Letter code').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('file')
    await page.keyboard.press('Enter')
    const opened = await fileChooserOpened
    expect(opened.isMultiple()).toBe(false)
    const isPrevented = await page.evaluate(() => {
      const data = new DataTransfer()
      data.items.add(new File(['x'], 'x.pdf'))
      return !document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
      )
    })
    expect(isPrevented).toBe(true)
  })
})

test('a page of another origin can read the credential and the definitions of its terms', async () => {
  const { letter } = await issueLetter()
  const registrar = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Registrar</title>'),
  )
  try {
    await new Promise<void>(resolve => registrar.listen(0, '127.0.0.1', resolve))
    const { page, problems } = await visit()
    problems.expect(/favicon/)
    await page.goto(`http://127.0.0.1:${(registrar.address() as AddressInfo).port}/`)
    expect(new URL(page.url()).origin).not.toBe(new URL(letter.credential_url).origin)
    const result = await page.evaluate(async url => {
      const response = await fetch(url)
      const token = await response.text()
      const [, payload = ''] = token.split('.')
      const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), letter =>
        letter.charCodeAt(0),
      )
      const credential = JSON.parse(new TextDecoder().decode(bytes))
      const vocabulary: string = credential['@context'][1]['@vocab']
      const contextResponse = await fetch(vocabulary, { headers: { Accept: 'application/ld+json' } })
      return { status: response.status, credential, context: (await contextResponse.json())['@context'] }
    }, letter.credential_url)
    expect(result.status).toBe(200)
    expect(result.credential.credentialSubject.letter.code).toBe(letter.code)
    expect(result.context.certificateNumber['@id']).toMatch(/#certificateNumber$/)
  } finally {
    registrar.close()
  }
})

describe('actions of a letter holder', () => {
  test('offer the PDF, the credential, and an email to a colleague, who can open the letter without an account', {
    tags: ['LETTER-6'],
  }, async () => {
    const { holder, certificate: entered, letter } = await issueLetter()
    const { page } = await visit({ as: holder })
    await page.goto('/dashboard/history')
    const menu = button(page, `Letter for ${entered.certificate_number}`)
    await menu.click()
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download PDF' }).click(),
    ])
    expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-')
    await menu.click()
    const [credential] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download credential' }).click(),
    ])
    expect(await readFile(await credential.path(), 'utf8')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)

    await menu.click()
    const [badge] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download Open Badge' }).click(),
    ])
    expect(badge.suggestedFilename()).toBe(`verification-open-badge-${letter.code}.jwt`)
    expect(await readFile(await badge.path(), 'utf8')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)

    await menu.click()
    await page.getByRole('menuitem', { name: 'Email to a colleague' }).click()
    const dialog = page.getByRole('dialog', { name: 'Email to a colleague' })
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('Email address is required').waitFor()
    const colleague = `colleague-${letter.code.toLowerCase()}@embassy.test`
    await dialog.getByLabel('Email address').fill(colleague)
    await dialog.getByLabel('Message').fill('See https://elsewhere.test')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('Please leave web addresses out of the message.').waitFor()
    await dialog.getByLabel('Message').fill('For the file of Mrs Bello.')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('Sent', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })

    const [mail] = await waitForMails(colleague, { portal: portal() })
    expect(mail?.text).toContain('For the file of Mrs Bello.')
    const link = /https?:\/\/\S+\/letters\/\w+/.exec(mail?.text ?? '')?.[0] ?? ''
    const reader = await visit()
    await reader.page.goto(link)
    await heading(reader.page, GENUINE).waitFor()

    // The holder can see that someone checked the letter, but not who.
    await page.reload()
    await page.getByText(/^Checked once, last on /).waitFor()
  })

  test('include a file with all letters of a bulk payment', { tags: ['LETTER-6'] }, async () => {
    const [holder, ...entered] = await Promise.all([
      newHolder(),
      createCertificate(),
      createCertificate(),
      createCertificate(),
    ])
    const payment = await payFor(
      holder,
      entered.map(item => item.certificate_number),
    )
    const { page } = await visit({ as: holder })
    await page.goto(`/dashboard/bulk?payment=${payment.transaction_id}`)
    const [fromResults] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'All letters (ZIP)').click(),
    ])
    const names = entriesOf(await readFile(await fromResults.path()))
    expect(names).toHaveLength(3)
    for (const { letter } of payment.items) expect(names.join()).toContain(letter?.code)
    await page.goto(`/dashboard/receipt?id=${payment.transaction_id}`)
    await heading(page, 'The 3 letters').waitFor()
    const [fromReceipt] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'All letters (ZIP)').click(),
    ])
    expect(entriesOf(await readFile(await fromReceipt.path()))).toEqual(names)
  })
})

const hasTools = ['pdftoppm', 'zbarimg', 'pdfinfo'].every(tool => existsSync(`/usr/bin/${tool}`))

test.skipIf(!hasTools)(
  'a letter with long names and a long address prints on one A4 page, and its code opens the letter',
  { tags: ['USABILITY-14'] },
  async () => {
    const longCertificate = await addCertificate({
      student_name: 'Oluwatósìn Ọláolúwakìítán Ẹniọlá Adéṣeéwá-Ọláńrewájú Ògúnlékè-Bámgbóṣé',
      course: 'B.Eng. Electrical, Electronics, Telecommunications and Computer Systems Engineering (Honours)',
      grade: 'Second Class Honours (Upper Division)',
      graduation_date: '2018-11-23',
      department: 'Electrical, Electronics and Computer Engineering',
    })
    const address =
      'The Federal Association of Harmattan Book Publishers, Printers and Stationery Wholesalers, Plot 1147 Block C Marina ' +
      'Road Extension, Fourth Floor West Wing Suite 402, Calabar Municipal, Cross River State, Nigeria'
    const { holder, letter } = await issueLetter({ address }, longCertificate)
    const { page } = await visit({ as: holder })
    await page.goto('/dashboard/verify')
    await enterNumber(page, longCertificate.certificate_number)
    await waitForLetter(page)
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    const paper = await page.pdf({ preferCSSPageSize: true, printBackground: true })

    const folder = await mkdtemp(path.join(tmpdir(), 'letter-print-'))
    try {
      const printed = path.join(folder, 'letter.pdf')
      await writeFile(printed, paper)
      const pdfInfo = execFileSync('/usr/bin/pdfinfo', [printed], { encoding: 'utf8' })
      expect(pdfInfo).toMatch(/^Pages:\s+1$/m)
      expect(pdfInfo).toMatch(/\(A4\)/)
      execFileSync('/usr/bin/pdftoppm', [
        '-r',
        '150',
        '-png',
        '-singlefile',
        printed,
        path.join(folder, 'sheet'),
      ])
      const qrText = execFileSync('/usr/bin/zbarimg', ['--quiet', '--raw', path.join(folder, 'sheet.png')], {
        encoding: 'utf8',
        // Standard error is ignored, because the program reports there that it found no message bus.
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      expect(qrText.trim()).toBe(`${portal().url}/letters/${letter.code}`)
      expect(qrText.trim()).toBe(letter.url)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

/** Drops a file on the field, as the system's file manager would. */
async function dropFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    ([base64, fileName]) => {
      const raw = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([raw], fileName, { type: 'application/pdf' }))
      return transfer
    },
    [bytes.toString('base64'), name] as const,
  )
  await page.getByText('or drop it here').dispatchEvent('drop', { dataTransfer: data })
}

/** Returns the names of the files in a ZIP archive, from its central directory. */
function entriesOf(zip: Buffer): string[] {
  const names: string[] = []
  for (
    let offset = zip.indexOf('PK\u0001\u0002');
    offset >= 0;
    offset = zip.indexOf('PK\u0001\u0002', offset + 4)
  ) {
    const length = zip.readUInt16LE(offset + 28)
    names.push(zip.subarray(offset + 46, offset + 46 + length).toString())
  }
  return names
}
