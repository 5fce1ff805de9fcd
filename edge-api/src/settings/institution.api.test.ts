import { defaultLetterTexts } from '@portal/contract/letter-texts'
import { demoInstitution, demoSignatory } from '@portal/fixtures/institution'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLetter } from '../../test/letter.ts'
import { newAccount, request, staffToken } from '../../test/portal.ts'

const { logo: _, ...profile } = demoInstitution
const { signature_image: __, stamp_image: ___, ...signatory } = demoSignatory
const template = { ...signatory, ...defaultLetterTexts }

let token: string
beforeAll(async () => {
  token = await staffToken('super_admin')
})
// Other tests read the demo's settings, so these are restored afterwards.
afterAll(async () => {
  await put('institution', { ...profile, accent: null })
  await put('letter', template)
})

const get = (part: string) => request('GET', `/admin/settings/${part}`, { token })
const put = (part: string, body: object) => request('PUT', `/admin/settings/${part}`, { token, body })
const fetchStyleSheet = () => request('GET', '/brand.css')
const readNewestEntry = async () =>
  (await request('GET', '/admin/activity-logs?per_page=1', { token })).body.logs[0]

describe('the institution’s profile', () => {
  test('can be read by everyone once it is set, including its colour as a style sheet', {
    tags: ['STAFF-12'],
  }, async () => {
    const body = {
      ...profile,
      name: ' University of  New Hope ',
      support_phones: ['+234 800 555 0199'],
      accent: '#7A1F3D',
    }
    const set = await put('institution', body)
    expect(set).toMatchObject({
      status: 200,
      body: {
        message: 'Institution profile saved.',
        name: 'University of New Hope',
        support_phones: ['+234 800 555 0199'],
        accent: '#7a1f3d',
        logo: null,
        updated_at: expect.any(String),
      },
    })
    const { message: ____, ...stored } = set.body
    expect((await get('institution')).body).toEqual(stored)
    const open = await request('GET', '/verification/settings')
    expect(open.body.institution).toMatchObject({
      name: 'University of New Hope',
      support_phones: ['+234 800 555 0199'],
    })
    const css = await fetchStyleSheet()
    expect(css.body).toBe(':root{--brand:#7a1f3d}\n')
    expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(css.headers.get('cache-control')).toContain('max-age=60')
    expect(css.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('logs changes, and logs nothing if nothing changed', async () => {
    await put('institution', { ...profile, accent: null })
    await put('institution', { ...profile, accent: '#0000ff' })
    const entry = await readNewestEntry()
    expect(entry).toMatchObject({
      activity: 'Institution settings updated',
      details: 'accent: none → #0000ff',
      user_email: 'super@demo.test',
    })
    const { updated_at } = (await get('institution')).body
    expect((await put('institution', { ...profile, accent: '#0000ff' })).body.updated_at).toBe(updated_at)
    expect((await readNewestEntry()).id).toBe(entry.id)
  })

  test('has the default colour if none is set', async () => {
    await put('institution', { ...profile, accent: null })
    expect((await fetchStyleSheet()).body).toBe('')
  })

  test.each([
    ['no name', { name: ' ' }, { name: 'Institution name is required' }],
    ['an invalid address', { support_email: 'x' }, { support_email: 'Please enter a valid email address' }],
    [
      'three phone numbers',
      { support_phones: ['08012345678', '08012345678', '08012345678'] },
      { support_phones: 'Please enter at most two phone lines.' },
    ],
    [
      'an invalid phone number',
      { support_phones: ['123'] },
      { 'support_phones.0': 'Please enter a valid phone number' },
    ],
    [
      'a colour by name',
      { accent: 'red' },
      { accent: 'Please enter a colour as #RRGGBB, for example #0E5B3F.' },
    ],
    [
      'a style in the colour',
      { accent: '#000000}body{display:none' },
      { accent: 'Please enter a colour as #RRGGBB, for example #0E5B3F.' },
    ],
    ['a name that is too long', { name: 'x'.repeat(121) }, { name: 'Please use at most 120 characters.' }],
  ])('refuses %s', async (_, wrong, fields) => {
    expect(await put('institution', { ...profile, accent: null, ...wrong })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', fields },
    })
  })
})

describe('the letter template', () => {
  test('starts with the texts of the demo’s letters', async () => {
    expect((await get('letter')).body).toMatchObject(template)
  })

  test('applies to the next letter, while earlier letters stay unchanged', {
    tags: ['STAFF-13'],
  }, async () => {
    const before = await newLetter()
    const set = await put('letter', {
      ...template,
      name: 'Prof. A. Sow',
      for: '',
      subject: 'RE: {STUDENT}',
      opening: '{holder} asked about {number}: {course}, {grade}, {date}, from {institution}.',
      thanks: 'Yours {not} ',
    })
    expect(set.body.fields).toEqual({
      thanks: expect.stringContaining('{not} is not a known placeholder'),
    })
    const texts = {
      ...template,
      name: 'Prof. A. Sow',
      for: '',
      subject: 'RE: {STUDENT}',
      opening: '{holder} asked about\n{number}: {course}, {grade}, {date}, from {institution}.',
    }
    expect((await put('letter', texts)).body).toMatchObject({ message: 'Letter template saved.', for: '' })
    expect(await readNewestEntry()).toMatchObject({
      activity: 'Letter template updated',
      details: expect.stringContaining(
        `name: ${signatory.name} → Prof. A. Sow; for: Registrar → none; subject:`,
      ),
    })

    const after = await newLetter()
    const { certificate_details: details } = after.template.content
    expect(after.template.subject).toBe(`RE: ${details.name.toUpperCase()}`)
    expect(after.template.content.opening).toBe(
      `${after.account.firstname} ${after.account.lastname} asked about ${after.number}: ${details.degree}, ` +
        `${details.class}, ${details.date}, from ${demoInstitution.name}.`,
    )
    expect(after.template.signature).toMatchObject({ name: 'Prof. A. Sow', for: '' })

    const secondReply = await request('GET', `/verification/check-verification-status/${before.id}`, {
      token: before.account.token,
    })
    expect(secondReply.body.verification_template).toEqual(before.template)
  })

  test.each([
    [
      'an unknown placeholder',
      { closing: 'Dear {graduate}' },
      {
        closing:
          '{graduate} is not a known placeholder. Please use {holder}, {number}, {student}, {institution}, {course}, {grade} or {date}.',
      },
    ],
    [
      'a brace that is not closed',
      { opening: 'Of {number and {student}' },
      { opening: 'A brace is not closed or not opened. Write placeholders like this: {number}.' },
    ],
    [
      'a brace that is not opened',
      { thanks: 'Thank you }' },
      { thanks: 'A brace is not closed or not opened. Write placeholders like this: {number}.' },
    ],
    [
      'texts without the number and the student',
      { subject: 'Hello', opening: 'Hello' },
      { opening: 'The letter must name the certificate: please use {number} and {student}.' },
    ],
    [
      'texts without the number',
      { subject: '{student}', opening: 'Hello' },
      { opening: 'The letter must name the certificate: please use {number}.' },
    ],
    ['no signatory', { name: '' }, { name: 'Signatory name is required' }],
    [
      'an opening that is too long',
      { opening: `{number} ${'x'.repeat(1200)}` },
      { opening: 'Please use at most 1200 characters.' },
    ],
  ])('refuses %s', async (_, wrong, fields) => {
    expect(await put('letter', { ...template, ...wrong })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', fields },
    })
  })
})

describe('access', () => {
  test.each(['institution', 'letter', 'policies'])('%s is for super admins only', async part => {
    const { token: user } = await newAccount()
    for (const caller of [user, await staffToken('admin')]) {
      for (const method of ['GET', 'PUT']) {
        const response = await request(method, `/admin/settings/${part}`, {
          token: caller,
          ...(method === 'PUT' && { body: {} }),
        })
        expect(response).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      }
    }
  })
})
