import { X509Certificate } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { fetchBytes, hasTool, payForLetters, renderPicture, runTool } from '../../test/letter-files.ts'
import { newAccount, request, sharedPortal, staffToken, waitForMails } from '../../test/portal.ts'
import { readZipFiles } from '../../test/zip.ts'

const NAME = 'Adébáyọ̀ Ọláṣẹ́ńí ₦5,000.00'

let letter: Awaited<ReturnType<typeof payForLetters>>
let pdf: Uint8Array<ArrayBuffer>
let token: string
beforeAll(async () => {
  letter = await payForLetters([NAME])
  pdf = (await fetchBytes(`/api/letters/${letter.code}.pdf`)).bytes
  token = new TextDecoder().decode((await fetchBytes(`/api/letters/${letter.code}.jwt`)).bytes)
})

const collapseSpaces = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ')

const checkFile = async (bytes: BlobPart, name = 'letter.pdf') => {
  const form = new FormData()
  form.append('file', new File([bytes], name))
  return await request('POST', '/letters/check-file', { body: form })
}

describe('GET /letters/{code}.pdf', () => {
  test('is a small PDF for anyone who has the code, and is not cached', {
    tags: ['QUALITY-35'],
  }, async () => {
    const { status, headers, bytes } = await fetchBytes(`/api/letters/${letter.code}.pdf`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="verification-letter-${letter.code}.pdf"`,
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(bytes.length).toBeLessThan(150_000)
    expect(await fetchBytes(`/api/letters/${letter.code.toLowerCase()}.pdf`)).toMatchObject({ status: 200 })
  })

  test('an unknown code gets the same response as in the check of a code', async () => {
    for (const extension of ['.pdf', '.jwt', '.ob3', '']) {
      const response = await request('GET', `/letters/ZZZZZZZZZZZZ${extension}`)
      expect(response).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
  })

  test('has another time and signature each time it is generated, and is otherwise the same', async () => {
    const secondPdf = (await fetchBytes(`/api/letters/${letter.code}.pdf`)).bytes
    const content = (bytes: Uint8Array) =>
      Buffer.from(bytes)
        .toString('latin1')
        .replace(/\/M\(D:\d+Z\)|\/Contents<[0-9a-f]+>/g, '')
        // The attached credential gets a new signature as well.
        .replace(/(eyJ[\w-]+\.[\w-]+)\.[\w-]+/, '$1')
    expect(content(secondPdf) === content(pdf)).toBe(true)
    expect(await checkFile(secondPdf)).toMatchObject({ body: { result: 'genuine' } })
  })

  test.skipIf(!hasTool('pdfsig', '-v'))(
    'is valid for pdfsig, and invalid after a change of any byte',
    { tags: ['LETTER-7'] },
    () => {
      const { output } = runTool('pdfsig', ['-nocert', '{}'], pdf)
      expect(output).toContain('Signature Validation: Signature is Valid.')
      expect(output).toContain('Signature Type: ETSI.CAdES.detached')
      expect(output).toContain('Total document signed')
      // All of these bytes are signed: the space for the signature comes before the middle.
      for (const offset of [20, Math.floor(pdf.length / 2), pdf.length - 200]) {
        const changed = pdf.slice()
        changed[offset] = (changed[offset] ?? 0) ^ 1
        expect(runTool('pdfsig', ['-nocert', '{}'], changed).output).not.toContain('Signature is Valid')
      }
    },
  )

  test.skipIf(!hasTool('qpdf', '--version'))('has no errors that qpdf finds', () => {
    const { code, output } = runTool('qpdf', ['--check', '{}'], pdf)
    expect(code, output).toBe(0)
    expect(output).toContain('No syntax or stream encoding errors found')
  })

  test.skipIf(!hasTool('pdftotext', '-v'))(
    'contains every word as text, as pdftotext shows',
    { tags: ['LETTER-7'] },
    () => {
      const text = collapseSpaces(runTool('pdftotext', ['{}', '-'], pdf).output)
      expect(text).toContain(NAME.normalize('NFC'))
      expect(text).toContain(collapseSpaces(letter.template.subject))
      expect(text).toContain(collapseSpaces(letter.template.content.opening))
    },
  )

  test.skipIf(!hasTool('zbarimg', '--version') || !hasTool('pdftoppm', '-v'))(
    'has a QR code that zbarimg reads at 150 dpi, with the address of the letter’s page',
    () => {
      const { output } = runTool('zbarimg', ['-q', '{}'], renderPicture(pdf, 150), 'png')
      expect(output).toContain(`QR-Code:${sharedPortal().url}/letters/${letter.code}`)
    },
  )
})

describe('GET /letters/{code}.jwt', () => {
  test('is a credential of the institution, signed with a key in its DID document', async () => {
    const { headers } = await fetchBytes(`/api/letters/${letter.code}.jwt`)
    expect(headers.get('content-type')).toBe('application/vc+jwt')
    expect(headers.get('cache-control')).toBe('no-store')
    const did = (await (await fetch(`${sharedPortal().url}/.well-known/did.json`)).json()) as {
      id: string
      assertionMethod: string[]
    }
    const { kid } = decodeProtectedHeader(token)
    expect(did.assertionMethod).toContain(kid)
    expect(decodeJwt(token)).toMatchObject({ iss: did.id, issuer: { id: did.id } })
  })

  test('contains the same facts as the page and the PDF', { tags: ['LETTER-8'] }, async () => {
    const { body: page } = await request('GET', `/letters/${letter.code}`)
    const { credentialSubject: subject } = decodeJwt<{ credentialSubject: Record<string, unknown> }>(token)
    const { template } = letter
    const { sn: _, ...details } = template.content.certificate_details
    expect(subject).toMatchObject({
      ...details,
      certificateNumber: page.certificate_number,
      letter: {
        code: page.code,
        referenceNumber: page.ref_number,
        date: template.header.date,
        institution: page.institution,
        recipient: { company: page.recipient, address: template.recipient.address },
        opening: template.content.opening,
        closing: template.content.closing,
        signatory: { name: template.signature.name, title: template.signature.title },
      },
    })
    // Dates in words are also included in ISO 8601, and the certificate has an opaque identifier.
    const longDate = new Date(String(subject.graduationDate)).toLocaleDateString('en-US', {
      dateStyle: 'long',
      timeZone: 'UTC',
    })
    expect(subject.graduationDate).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(longDate).toBe(details.date)
    expect(subject).toMatchObject({ letter: { issuedAt: page.issued_at } })
    expect(subject.id).toMatch(/^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(page.certificate_details).toEqual(template.content.certificate_details)
    // The PDF has an attached credential with the same facts.
    const attached = attachedCredential(pdf)
    expect(decodeJwt(attached).credentialSubject).toEqual(subject)
    if (!hasTool('pdftotext', '-v')) return
    const text = collapseSpaces(runTool('pdftotext', ['{}', '-'], pdf).output)
    const { header, recipient, content, signature } = template
    const facts = [
      ...[header.institution, header.address, header.ref_number, header.date],
      ...[recipient.company, ...recipient.address, template.subject],
      ...[content.opening, content.closing, content.thanks],
      ...[signature.name, signature.title, `For: ${signature.for}`, signature.email],
      ...[details.date, page.certificate_number, page.code.replace(/(.{4})(?=.)/g, '$1-')],
    ]
    for (const fact of facts) expect(text).toContain(collapseSpaces(fact))
  })
})

describe('GET /letters/{code}.ob3', () => {
  test('is an Open Badge with the same facts, and passes the check of a file', async () => {
    const { headers, bytes } = await fetchBytes(`/api/letters/${letter.code}.ob3`)
    expect(headers.get('content-type')).toBe('application/jwt')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    const badge = new TextDecoder().decode(bytes)
    const { credentialSubject: subject } = decodeJwt<{ credentialSubject: Record<string, unknown> }>(token)
    expect(decodeJwt(badge)).toMatchObject({
      awardedDate: `${subject.graduationDate}T00:00:00Z`,
      credentialSubject: {
        identifier: [{ identityHash: subject.name }],
        licenseNumber: subject.certificateNumber,
        result: [{ value: subject.class }],
        achievement: { name: subject.degree },
      },
    })
    expect((await checkFile(badge, 'badge.jwt')).body).toMatchObject({
      result: 'genuine',
      kind: 'credential',
      letter: { code: letter.code },
    })
  })
})

/** Returns the file embedded in our PDF. It is found by the type of its stream. */
function attachedCredential(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  const typeAt = text.indexOf('/Type/EmbeddedFile')
  const start = text.indexOf('stream\n', typeAt) + 'stream\n'.length
  return text.slice(start, text.indexOf('\nendstream', start))
}

describe('POST /letters/check-file', () => {
  test('reports a genuine PDF with its signature and its letter’s status', {
    tags: ['LETTER-9'],
  }, async () => {
    const { status, body } = await checkFile(pdf)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      result: 'genuine',
      kind: 'pdf',
      signature: { algorithm: 'ES256', covers_whole_file: true },
      letter: { code: letter.code, status: 'valid' },
    })
    expect(body.signature.certificate_fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(body.signature.key_id).toBe(decodeProtectedHeader(token).kid)
  })

  test('a PDF with a changed or appended byte is altered', { tags: ['LETTER-9'] }, async () => {
    const changed = pdf.slice()
    changed[600] = (changed[600] ?? 0) ^ 1
    const appended = Buffer.concat([pdf, Buffer.from('\n%%EOF\n')])
    for (const [bytes, coversWholeFile] of [
      [changed, true],
      [appended, false],
    ] as const) {
      const { body } = await checkFile(bytes)
      expect(body).toMatchObject({
        result: 'altered',
        signature: { covers_whole_file: coversWholeFile },
        letter: null,
      })
    }
  })

  test.each([
    ['someone else’s PDF', '%PDF-1.4 nothing', 'not_ours', 'pdf'],
    ['a broken signature', '%PDF-1.7 /ByteRange[0 5 7 9]/Contents<00>', 'not_ours', 'pdf'],
    ['a ZIP file', 'PK\u0003\u0004 zip', 'unreadable', null],
    ['an empty file', '', 'unreadable', null],
  ])('checks %s without an error', async (_, bytes, result, kind) => {
    expect(await checkFile(bytes)).toMatchObject({ status: 200, body: { result, kind, letter: null } })
  })

  test('checks a credential too, as a file or as pasted text', async () => {
    expect((await checkFile(token, 'letter.jwt')).body).toMatchObject({
      result: 'genuine',
      kind: 'credential',
      letter: { code: letter.code },
    })
    const pasted = await request('POST', '/letters/check-credential', { body: { credential: token } })
    expect(pasted.body).toMatchObject({ result: 'genuine', kind: 'credential' })
    const [head, , signature] = token.split('.')
    const forged = [head, Buffer.from('{"a":1}').toString('base64url'), signature].join('.')
    const refused = await request('POST', '/letters/check-credential', { body: { credential: forged } })
    expect(refused.body).toMatchObject({ result: 'altered', letter: null })
  })

  test('a credential with other text around it is reported as altered', async () => {
    for (const changed of [`${token}\n`, ` ${token}`, `\ufeff${token}`, `${token}\r\n`])
      expect((await checkFile(changed, 'letter.jwt')).body).toMatchObject({ result: 'altered', letter: null })
  })

  test('refuses a file whose extension does not match its content', async () => {
    const pdfs = ['letter.jwt', 'letter.pdf.html', 'letter.']
    const credentials = ['letter.pdf', 'letter.jwt.exe']
    for (const name of pdfs)
      expect(await checkFile(pdf, name)).toMatchObject({
        status: 400,
        body: { fields: { file: 'This is a PDF: please give it a name that ends in .pdf.' } },
      })
    for (const name of credentials)
      expect(await checkFile(token, name)).toMatchObject({
        status: 400,
        body: { fields: { file: 'This is a credential: please give it a name that ends in .jwt or .txt.' } },
      })
    for (const name of ['Letter of Mr A. (1).PDF', 'letter'])
      expect((await checkFile(pdf, name)).body.result).toBe('genuine')
    for (const name of ['letter.jwt.txt', 'letter'])
      expect((await checkFile(token, name)).body.result).toBe('genuine')
  })

  test('refuses a file of more than 5 MB, a missing file and another content type', async () => {
    const large = await checkFile(new Uint8Array(5 * 1024 * 1024 + 1))
    expect(large).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    const withoutFile = await request('POST', '/letters/check-file', { body: new FormData() })
    expect(withoutFile.status).toBe(400)
    const json = await request('POST', '/letters/check-file', { body: {} })
    expect(json).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
  })
})

interface StatusEntry {
  statusPurpose: string
  statusListIndex: string
  statusListCredential: string
}

/** Returns the bits of a credential in its status lists, by purpose. */
async function bitsOf(jwt: string): Promise<Record<string, number>> {
  const { credentialStatus } = decodeJwt<{ credentialStatus: StatusEntry[] }>(jwt)
  const bits: Record<string, number> = {}
  for (const { statusPurpose, statusListIndex, statusListCredential } of credentialStatus) {
    const response = await fetch(statusListCredential)
    expect(response.headers.get('content-type')).toBe('application/vc+jwt')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    const { credentialSubject } = decodeJwt<{
      credentialSubject: { encodedList: string; statusPurpose: string }
    }>(await response.text())
    expect(credentialSubject.statusPurpose).toBe(statusPurpose)
    expect(credentialSubject.encodedList[0]).toBe('u')
    const list = gunzipSync(Buffer.from(credentialSubject.encodedList.slice(1), 'base64url'))
    expect(list.length * 8).toBe(131_072)
    const bitIndex = Number(statusListIndex)
    bits[statusPurpose] = ((list[bitIndex >> 3] ?? 0) >> (7 - (bitIndex & 7))) & 1
  }
  return bits
}

describe('status lists', () => {
  test('report the status of a letter as its page does: valid, superseded or withdrawn', {
    tags: ['LETTER-9'],
  }, async () => {
    const other = await payForLetters(['Ngozi Okafor'])
    const [certificate] = other.certificates
    const jwt = new TextDecoder().decode((await fetchBytes(`/api/letters/${other.code}.jwt`)).bytes)
    expect(await bitsOf(jwt)).toEqual({ revocation: 0, suspension: 0 })

    const admin = await staffToken('admin')
    const { id, uploader_email: _by, uploaded_at: _at, ...fields } = certificate ?? ({} as never)
    const path = `/admin/certificates/${id}`
    await request('PUT', path, { token: admin, body: { ...fields, grade: 'Aegrotat' } })
    expect(await bitsOf(jwt)).toEqual({ revocation: 0, suspension: 1 })
    await request('PUT', path, { token: admin, body: fields })
    expect(await bitsOf(jwt)).toEqual({ revocation: 0, suspension: 0 })
    await request('DELETE', path, { token: admin })
    expect(await bitsOf(jwt)).toEqual({ revocation: 1, suspension: 0 })

    const { body } = await request('POST', '/letters/check-credential', { body: { credential: jwt } })
    expect(body).toMatchObject({ result: 'genuine', letter: { status: 'withdrawn' } })
    const secondPdf = await fetchBytes(`/api/letters/${other.code}.pdf`)
    expect(await checkFile(secondPdf.bytes)).toMatchObject({ body: { letter: { status: 'withdrawn' } } })
  })

  test('a list that does not exist gets a 404 response', async () => {
    expect(await request('GET', '/status-lists/99')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })
})

describe('/.well-known', () => {
  test('has the public keys with their certificates, and nothing private', async () => {
    const { headers, bytes } = await fetchBytes('/.well-known/jwks.json')
    expect(headers.get('content-type')).toBe('application/jwk-set+json')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const { keys } = JSON.parse(new TextDecoder().decode(bytes))
    expect(keys.length).toBeGreaterThan(0)
    const authority = new TextDecoder().decode((await fetchBytes('/.well-known/letter-ca.pem')).bytes)
    for (const key of keys) {
      const certificate = new X509Certificate(Buffer.from(key.x5c[0], 'base64'))
      expect(certificate.publicKey.export({ format: 'jwk' })).toMatchObject({ x: key.x, y: key.y })
      expect(new X509Certificate(Buffer.from(key.x5c[1], 'base64')).toString()).toBe(authority)
      if (hasTool('openssl', 'version')) {
        const pem = Buffer.from(certificate.toString() + authority)
        const { output } = runTool('openssl', ['verify', '-x509_strict', '-CAfile', '{}', '{}'], pem, 'pem')
        expect(output).toMatch(/letter\.pem: OK/)
      }
      expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' })
      expect(key).not.toHaveProperty('d')
    }
  })
})

describe('POST /verification/letters/{code}/email', () => {
  const sendMail = (code: string, session: string, body: object) =>
    request('POST', `/verification/letters/${code}/email`, { token: session, body })

  test('emails the link to the caller’s letter, without data of the graduate', {
    tags: ['LETTER-10'],
  }, async () => {
    const to = `colleague-${letter.code.toLowerCase()}@users.test`
    const message = 'For our files. <b>Thanks</b>'
    const response = await sendMail(letter.code, letter.account.token, { email: to, message })
    expect(response).toMatchObject({ status: 200, body: { message: `The letter was sent to ${to}.` } })
    const [mail] = await waitForMails(to)
    expect(mail?.text).toContain(`/letters/${letter.code}`)
    expect(mail?.text).toContain(message)
    expect(mail?.html).not.toContain('<b>Thanks')
    expect(`${mail?.text}${mail?.html}`.normalize('NFC')).not.toContain('Adébáyọ̀'.normalize('NFC'))
  })

  test('another account’s letter gets a 404 response, and a web address in the message is refused', async () => {
    const other = await newAccount()
    const body = { email: 'colleague@users.test' }
    expect(await sendMail(letter.code, other.token, body)).toMatchObject({ status: 404 })
    const withLink = await sendMail(letter.code, letter.account.token, {
      ...body,
      message: 'see www.evil.test',
    })
    expect(withLink).toMatchObject({
      status: 400,
      body: { fields: { message: 'Please leave web addresses out of the message.' } },
    })
  })
})

describe('GET /verification/letters/zip/{transaction_id}', () => {
  test('contains every letter of the payment as a genuine PDF, only for its holder', {
    tags: ['LETTER-10'],
  }, async () => {
    const bulk = await payForLetters(['Ada Obi', 'Musa Ɗanladi', 'Títílayọ̀ Ògúnlékè'])
    const path = `/api/verification/letters/zip/${bulk.id}`
    const headers = { authorization: `Bearer ${bulk.account.token}` }
    const { status, headers: responseHeaders, bytes } = await fetchBytes(path, { headers })
    expect(status).toBe(200)
    expect(responseHeaders.get('content-type')).toBe('application/zip')
    expect(responseHeaders.get('cache-control')).toBe('no-store')
    const files = readZipFiles(bytes)
    expect([...files.keys()].map(name => name.slice(-16, -4)).sort()).toEqual([...bulk.codes.values()].sort())
    for (const file of files.values()) expect((await checkFile(file)).body.result).toBe('genuine')

    const other = await newAccount()
    const refused = await request('GET', `/verification/letters/zip/${bulk.id}`, { token: other.token })
    expect(refused).toMatchObject({ status: 404, body: { code: 'TRANSACTION_NOT_FOUND' } })
  })
})
