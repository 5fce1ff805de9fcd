import { imageKinds, MAX_IMAGE_BYTES } from '@portal/contract/admin-settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLetter } from '../../test/letter.ts'
import { JPEG, PNG, SVG } from '../../test/pictures.ts'
import { newAccount, request, staffToken } from '../../test/portal.ts'

let token: string
beforeAll(async () => {
  token = await staffToken('super_admin')
})
// Other tests read letters without images, so these are removed afterwards.
afterAll(async () => {
  for (const kind of imageKinds) await remove(kind)
})

function form(bytes: Uint8Array | string, name = 'picture.png', type = 'image/png'): FormData {
  const body = new FormData()
  body.append('file', new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type }))
  return body
}
const upload = (kind: string, body: FormData, caller = token) =>
  request('POST', `/admin/settings/images/${kind}`, { token: caller, body })
const remove = (kind: string) => request('DELETE', `/admin/settings/images/${kind}`, { token })

async function fetchImage(image: string) {
  const response = await request('GET', image.replace(/^\/api/, ''))
  const { headers } = response
  return { ...response, type: headers.get('content-type'), cache: headers.get('cache-control') }
}

describe('logo, signature and stamp', () => {
  test.each([
    ['logo', PNG, 'image/png', 'png', 'Our logo.PNG'],
    ['signature', JPEG, 'image/jpeg', 'jpg', 'signed.jpeg'],
    ['stamp', PNG, 'image/png', 'png', 'blob'],
  ])(
    '%s can be stored, read by anyone at an address that never changes, and removed',
    async (kind, bytes, type, extension, name) => {
      const set = await upload(kind, form(bytes, name, 'application/octet-stream'))
      const label = kind[0]?.toUpperCase() + kind.slice(1)
      expect(set).toMatchObject({
        status: 201,
        body: {
          message: `${label} saved.`,
          image: expect.stringMatching(/^\/api\/images\/[0-9a-f]{64}\.\w+$/),
        },
      })
      const { image } = set.body
      expect(image).toMatch(new RegExp(`\\.${extension}$`))
      const shown = await fetchImage(image)
      expect(shown).toMatchObject({ status: 200, type, cache: 'public, max-age=31536000, immutable' })
      expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
      // The same picture always has the same address.
      expect((await upload(kind, form(bytes, `again.${extension}`))).body.image).toBe(image)

      expect(await remove(kind)).toMatchObject({ status: 200, body: { message: `${label} removed.` } })
      expect((await fetchImage(image)).status).toBe(200)
    },
  )

  test('an SVG logo is served with headers that prevent anything but drawing it', async () => {
    const { body } = await upload('logo', form(SVG, 'logo.svg', 'image/svg+xml'))
    expect((await request('GET', '/verification/settings')).body.institution.logo).toBe(body.image)
    const shown = await fetchImage(body.image)
    expect(shown).toMatchObject({ status: 200, type: 'image/svg+xml' })
    expect(shown.body).not.toContain('made by hand')
    const utf16 = new Uint8Array(Buffer.from(`\uFEFF${SVG}`, 'utf16le'))
    expect((await upload('logo', form(utf16, 'logo.svg'))).body.image).toBe(body.image)
    expect(shown.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    )
  })

  test('appear on the next letter, while letters issued before keep their images', {
    tags: ['STAFF-14'],
  }, async () => {
    await upload('stamp', form(PNG))
    const first = (await upload('signature', form(PNG))).body.image
    const before = await newLetter()
    expect(before.template.signature).toMatchObject({ signature_image: first, stamp_image: first })
    const second = (await upload('signature', form(JPEG, 's.jpg'))).body.image
    await remove('stamp')
    const after = await newLetter()
    expect(after.template.signature).toMatchObject({ signature_image: second, stamp_image: null })
    const secondReply = await request('GET', `/verification/check-verification-status/${before.id}`, {
      token: before.account.token,
    })
    expect(secondReply.body.verification_template).toEqual(before.template)
    expect((await fetchImage(first)).status).toBe(200)
  })

  test('the log names the changed image without its content', async () => {
    await upload('stamp', form(PNG))
    await remove('stamp')
    const { body } = await request('GET', '/admin/activity-logs?per_page=2', { token })
    expect(body.logs).toMatchObject([
      { activity: 'Settings: stamp image removed', details: '' },
      {
        activity: 'Settings: stamp image updated',
        details: expect.stringMatching(/^image\/png, \d+ bytes, SHA-256 [0-9a-f]{12}…$/),
      },
    ])
  })
})

describe('image requests', () => {
  const zip = 'PK\u0003\u0004\u0014\u0000 renamed'
  const unsupported = (feature: string) =>
    `This SVG uses ${feature}, which isn't supported. Export it as plain paths, or upload a PNG.`
  const cases: [what: string, kind: string, body: () => FormData, message: string][] = [
    ['a renamed archive', 'stamp', () => form(zip, 'stamp.png'), 'Please choose a PNG or JPEG image.'],
    [
      'a renamed archive as a logo',
      'logo',
      () => form(zip, 'logo.svg', 'image/svg+xml'),
      'Please choose a PNG, JPEG or SVG image.',
    ],
    ['an SVG as a signature', 'signature', () => form(SVG, 's.svg'), 'Please choose a PNG or JPEG image.'],
    [
      'an SVG with a script',
      'logo',
      () => form('<svg><script>alert(1)</script></svg>'),
      unsupported('<script>'),
    ],
    [
      'an SVG with a handler',
      'logo',
      () => form('<svg onload="alert(1)"/>'),
      unsupported('the attribute onload'),
    ],
    [
      'an SVG that loads a resource',
      'logo',
      () => form('<svg><use href="https://evil.example/#a"/></svg>'),
      unsupported('<use>'),
    ],
    [
      'an SVG that hides an address behind CSS strings',
      'logo',
      () => form('<svg><path style="a:&quot;/*&quot;;fill:url(//evil.example);b:&quot;*/&quot;"/></svg>'),
      unsupported('the style “a”'),
    ],
    [
      'an SVG that is too complex',
      'logo',
      () => form(`<svg>${'<path/>'.repeat(5000)}</svg>`),
      'This SVG is too complex. Simplify its paths, or upload a PNG.',
    ],
    [
      'a truncated picture',
      'stamp',
      () => form(PNG.slice(0, 40)),
      'This image is damaged or incomplete. Please choose another.',
    ],
    [
      'a JPEG image named as a PNG file',
      'stamp',
      () => form(JPEG, 'stamp.png'),
      'This is a JPEG image: please give it a name that ends in .jpg or .jpeg.',
    ],
    [
      'a PNG image named as an HTML file',
      'logo',
      () => form(PNG, 'logo.png.html'),
      'This is a PNG image: please give it a name that ends in .png.',
    ],
    [
      'an SVG image named as an HTML file',
      'logo',
      () => form(SVG, 'logo.html', 'image/svg+xml'),
      'This is an SVG image: please give it a name that ends in .svg.',
    ],
    ['an empty file', 'stamp', () => form(''), 'Please choose a PNG or JPEG image.'],
    ['no file', 'stamp', () => new FormData(), 'Please select a file first'],
  ]
  test.each(cases)('refuses %s', { tags: ['QUALITY-37', 'STAFF-14'] }, async (_, kind, body, message) => {
    expect(await upload(kind, body())).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', fields: { file: message } },
    })
  })

  test.each([
    ['a byte more than 200 kB', MAX_IMAGE_BYTES + 1],
    ['10 MB', 10_000_000],
  ])('refuses %s', { tags: ['STAFF-14'] }, async (_, size) => {
    const bytes = new Uint8Array(size)
    bytes.set(PNG)
    expect(await upload('stamp', form(bytes))).toMatchObject({
      status: 413,
      body: {
        code: 'PAYLOAD_TOO_LARGE',
        fields: { file: 'This image is too large: please choose one of at most 200 kB.' },
      },
    })
  })

  test('refuses a body that is not a form, and an unknown kind', async () => {
    const json = await request('POST', '/admin/settings/images/logo', { token, body: { file: 'x' } })
    expect(json).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
    expect(await upload('banner', form(PNG))).toMatchObject({
      status: 400,
      body: { fields: { kind: 'Please use logo, signature or stamp.' } },
    })
  })

  test('refuses anyone except a super admin', async () => {
    const { token: user } = await newAccount()
    for (const caller of [user, await staffToken('admin')]) {
      expect(await upload('logo', form(PNG), caller)).toMatchObject({ status: 403 })
      expect(await request('DELETE', '/admin/settings/images/logo', { token: caller })).toMatchObject({
        status: 403,
      })
    }
  })

  test.each(['x', `${'0'.repeat(64)}.png`, `${'0'.repeat(64)}.exe`, '..%2Fsettings'])(
    'does not find an image named %s',
    async name => {
      expect(await request('GET', `/images/${name}`)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      })
    },
  )
})
