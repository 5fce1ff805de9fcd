import type { brand } from '@portal/contract/brand'
import type { frontEnds } from '@portal/contract/front-ends'
import type { health } from '@portal/contract/health'
import type { letters } from '@portal/contract/letter'
import type { letterFiles } from '@portal/contract/letter-files'
import type { letterHolder } from '@portal/contract/letter-holder'
import { makeCertificate } from '@portal/fixtures/factories'
import { PNG } from '../pictures.ts'
import { type CasesOf, callBy, type MakeCall, makeForm } from './cases.ts'
import type { ParityFixture } from './fixture.ts'

const UNKNOWN_CODE = 'ZZZZZZZZZZZZ'
const getSharedCode = async (fixture: ParityFixture) => (await fixture.sharedVerification()).code

const letterCall =
  (path: (code: string) => string): MakeCall =>
  async fixture => ({ path: path(await getSharedCode(fixture)) })

async function readLetterFile(
  fixture: ParityFixture,
  extension: 'pdf' | 'jwt' | 'ob3',
): Promise<ArrayBuffer> {
  return await (
    await fixture.fetchApi('GET', `/letters/${await getSharedCode(fixture)}.${extension}`)
  ).arrayBuffer()
}

/** Returns a letter whose certificate was changed after it was issued. */
async function createChangedLetter(fixture: ParityFixture, change: 'corrected' | 'withdrawn') {
  const account = await fixture.user()
  const { certificateId, number, code } = await fixture.payForVerification(account)
  const token = await fixture.admin()
  const path = `/admin/certificates/${certificateId}`
  if (change === 'withdrawn') await fixture.callOk('DELETE', path, { token })
  else {
    const body = makeCertificate({ certificate_number: number, grade: 'Pass' })
    await fixture.callOk('PUT', path, { token, body })
  }
  return { token: account.token, code }
}

const reissuePath = (code: string) => `/verification/letters/${code}/reissue`

/** Returns the code of a letter that a corrected one has replaced. */
async function createReplacedLetter(fixture: ParityFixture) {
  const { token, code } = await createChangedLetter(fixture, 'corrected')
  await fixture.callOk('POST', reissuePath(code), { token })
  return { token, code }
}

const emailPath = (code: string) => `/verification/letters/${code}/email`

export const letterFileCases: CasesOf<typeof letterFiles> = {
  pdf: {
    succeeds: letterCall(code => `/letters/${code}.pdf`),
    also: {
      'a letter that was replaced': async fixture => ({
        path: `/letters/${(await createReplacedLetter(fixture)).code}.pdf`,
      }),
    },
    refuses: { 'an unknown code': () => ({ path: `/letters/${UNKNOWN_CODE}.pdf` }) },
  },
  credential: {
    succeeds: letterCall(code => `/letters/${code}.jwt`),
    also: {
      'a letter that was replaced': async fixture => ({
        path: `/letters/${(await createReplacedLetter(fixture)).code}.jwt`,
      }),
    },
    refuses: { 'an unknown code': () => ({ path: `/letters/${UNKNOWN_CODE}.jwt` }) },
  },
  openBadge: {
    succeeds: letterCall(code => `/letters/${code}.ob3`),
    also: {
      'a letter that was replaced': async fixture => ({
        path: `/letters/${(await createReplacedLetter(fixture)).code}.ob3`,
      }),
    },
    refuses: { 'an unknown code': () => ({ path: `/letters/${UNKNOWN_CODE}.ob3` }) },
  },
  checkFile: {
    succeeds: async fixture => ({ body: makeForm(await readLetterFile(fixture, 'pdf'), 'letter.pdf') }),
    also: {
      'a file that is not a letter': () => ({ body: makeForm('plain text', 'letter.pdf') }),
      'a file that was changed': async fixture => ({
        body: makeForm(new Blob([await readLetterFile(fixture, 'pdf'), ' ']), 'letter.pdf'),
      }),
      'another PDF': () => ({ body: makeForm('%PDF-1.4 of someone else', 'letter.pdf') }),
      'a credential': async fixture => ({
        body: makeForm(await readLetterFile(fixture, 'jwt'), 'letter.jwt'),
      }),
      'an Open Badge': async fixture => ({
        body: makeForm(await readLetterFile(fixture, 'ob3'), 'badge.jwt'),
      }),
    },
    refuses: {
      'a PDF under another name': async fixture => ({
        body: makeForm(await readLetterFile(fixture, 'pdf'), 'letter.txt'),
      }),
      'a credential under another name': async fixture => ({
        body: makeForm(await readLetterFile(fixture, 'jwt'), 'letter.pdf'),
      }),
    },
    ignoredFields: ['letter.previous_check_at'],
  },
  checkCredential: {
    succeeds: async fixture => ({
      body: { credential: new TextDecoder().decode(await readLetterFile(fixture, 'jwt')) },
    }),
    also: { 'text that is not a credential': () => ({ body: { credential: 'plain text' } }) },
    ignoredFields: ['letter.previous_check_at'],
  },
  email: {
    succeeds: async fixture => ({
      token: (await fixture.user()).token,
      path: emailPath(await getSharedCode(fixture)),
      body: { email: 'colleague@users.test', message: 'As asked for.' },
    }),
    also: {
      'a letter that was replaced': async fixture => {
        const { token, code } = await createReplacedLetter(fixture)
        return { token, path: emailPath(code), body: { email: 'colleague@users.test' } }
      },
    },
    refuses: {
      'a letter that was withdrawn': async fixture => {
        const { token, code } = await createChangedLetter(fixture, 'withdrawn')
        return { token, path: emailPath(code), body: { email: 'colleague@users.test' } }
      },
      'another user’s letter': async fixture => ({
        token: (await fixture.otherUser()).token,
        path: emailPath(await getSharedCode(fixture)),
        body: { email: 'colleague@users.test' },
      }),
      'a message with a web address': async fixture => ({
        token: (await fixture.user()).token,
        path: emailPath(await getSharedCode(fixture)),
        body: { email: 'colleague@users.test', message: 'See www.users.test' },
      }),
    },
  },
  zip: {
    succeeds: async fixture => ({
      token: (await fixture.user()).token,
      path: `/verification/letters/zip/${(await fixture.sharedVerification()).transaction_id}`,
    }),
    refuses: {
      'another user’s letter': async fixture => ({
        token: (await fixture.otherUser()).token,
        path: `/verification/letters/zip/${(await fixture.sharedVerification()).transaction_id}`,
      }),
    },
  },
}

export const letterHolderCases: CasesOf<typeof letterHolder> = {
  reissue: {
    succeeds: async fixture => {
      const { token, code } = await createChangedLetter(fixture, 'corrected')
      return { token, path: reissuePath(code) }
    },
    also: {
      'a valid letter': async fixture => ({
        token: (await fixture.user()).token,
        path: reissuePath(await getSharedCode(fixture)),
      }),
      'a letter that was replaced': async fixture => {
        const { token, code } = await createReplacedLetter(fixture)
        return { token, path: reissuePath(code) }
      },
    },
    refuses: {
      'a letter that was withdrawn': async fixture => {
        const { token, code } = await createChangedLetter(fixture, 'withdrawn')
        return { token, path: reissuePath(code) }
      },
      'another user’s letter': async fixture => ({
        token: (await fixture.otherUser()).token,
        path: reissuePath(await getSharedCode(fixture)),
      }),
    },
  },
}

export const letterCases: CasesOf<typeof letters> = {
  check: {
    succeeds: letterCall(code => `/letters/${code}`),
    also: {
      'a superseded letter': async fixture => ({
        path: `/letters/${(await createChangedLetter(fixture, 'corrected')).code}`,
      }),
      'a letter that was replaced by a corrected one': async fixture => ({
        path: `/letters/${(await createReplacedLetter(fixture)).code}`,
      }),
      'a withdrawn letter': async fixture => ({
        path: `/letters/${(await createChangedLetter(fixture, 'withdrawn')).code}`,
      }),
      'a code in lower case': letterCall(code => `/letters/${code.toLowerCase()}`),
    },
    ignoredFields: ['previous_check_at'],
  },
}

export const brandCases: CasesOf<typeof brand> = {
  stylesheet: { succeeds: () => ({}) },
  image: {
    succeeds: async fixture => {
      const body = makeForm(new Uint8Array(PNG), 'stamp.png', 'image/png')
      const token = await fixture.superAdmin()
      const { image } = await fixture.callOk('POST', '/admin/settings/images/stamp', { token, body })
      // Other tests read letters without images, so this image is removed from the settings; its file stays stored.
      await fixture.callOk('DELETE', '/admin/settings/images/stamp', { token })
      return { path: String(image).replace(/^\/api/, '') }
    },
  },
}

// The mocks have no disk to measure.
const results = ['database', 'gateway', 'mail', 'backup'].flatMap(part => [
  `parts.${part}.status`,
  `parts.${part}.latency_ms`,
])

const failureReport = { remote: 'mfe-user', stage: 'rendering', error: 'TypeError', frames: [] }

export const frontEndCases: CasesOf<typeof frontEnds> = {
  report: {
    succeeds: () => ({
      body: { ...failureReport, release: '3f2a9c', frames: ['/r/mfe-user/3f2a9c/js/12.ab.js:1:204'] },
    }),
    also: { 'an unknown release': () => ({ body: failureReport }) },
    refuses: {
      'an error text that may contain personal data': () => ({
        body: { ...failureReport, error: 'Ada Obi has no grade' },
      }),
      'a stack frame with the URL of another site': () => ({
        body: { ...failureReport, frames: ['https://elsewhere.test/x.js:1:2'] },
      }),
    },
  },
}

export const healthCases: CasesOf<typeof health> = {
  alive: { succeeds: () => ({}) },
  ready: {
    succeeds: () => ({}),
    also: { 'by staff': callBy('admin') },
    ignoredFields: ['status', ...results],
  },
}
