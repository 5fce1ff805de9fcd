import type { brand } from '@portal/contract/brand'
import type { frontEnds } from '@portal/contract/front-ends'
import type { health } from '@portal/contract/health'
import type { letters } from '@portal/contract/letter'
import type { letterFiles } from '@portal/contract/letter-files'
import type { letterHolder } from '@portal/contract/letter-holder'
import { makeCertificate } from '@portal/fixtures/factories'
import { PNG } from '../pictures.ts'
import { type CasesOf, callBy, type MakeCall, makeForm } from './cases.ts'
import type { World } from './world.ts'

const UNKNOWN_CODE = 'ZZZZZZZZZZZZ'
const codeOf = async (world: World) => (await world.sharedVerification()).code

const letter =
  (path: (code: string) => string): MakeCall =>
  async world => ({ path: path(await codeOf(world)) })

async function fileOf(world: World, extension: 'pdf' | 'jwt' | 'ob3'): Promise<ArrayBuffer> {
  return await (await world.fetchApi('GET', `/letters/${await codeOf(world)}.${extension}`)).arrayBuffer()
}

/** Returns a letter whose certificate was changed after it was issued. */
async function changed(world: World, change: 'corrected' | 'withdrawn') {
  const account = await world.user()
  const { certificateId, number, code } = await world.payForVerification(account)
  const token = await world.admin()
  const path = `/admin/certificates/${certificateId}`
  if (change === 'withdrawn') await world.callOk('DELETE', path, { token })
  else {
    const body = makeCertificate({ certificate_number: number, grade: 'Pass' })
    await world.callOk('PUT', path, { token, body })
  }
  return { token: account.token, code }
}

const reissue = (code: string) => `/verification/letters/${code}/reissue`

/** Returns the code of a letter that a corrected one has replaced. */
async function createReplacedLetter(world: World) {
  const { token, code } = await changed(world, 'corrected')
  await world.callOk('POST', reissue(code), { token })
  return { token, code }
}

const email = (code: string) => `/verification/letters/${code}/email`

export const letterFileCases: CasesOf<typeof letterFiles> = {
  pdf: {
    succeeds: letter(code => `/letters/${code}.pdf`),
    also: {
      'a letter that was replaced': async world => ({
        path: `/letters/${(await createReplacedLetter(world)).code}.pdf`,
      }),
    },
    refuses: { 'an unknown code': () => ({ path: `/letters/${UNKNOWN_CODE}.pdf` }) },
  },
  credential: {
    succeeds: letter(code => `/letters/${code}.jwt`),
    also: {
      'a letter that was replaced': async world => ({
        path: `/letters/${(await createReplacedLetter(world)).code}.jwt`,
      }),
    },
    refuses: { 'an unknown code': () => ({ path: `/letters/${UNKNOWN_CODE}.jwt` }) },
  },
  openBadge: {
    succeeds: letter(code => `/letters/${code}.ob3`),
    also: {
      'a letter that was replaced': async world => ({
        path: `/letters/${(await createReplacedLetter(world)).code}.ob3`,
      }),
    },
    refuses: { 'an unknown code': () => ({ path: `/letters/${UNKNOWN_CODE}.ob3` }) },
  },
  checkFile: {
    succeeds: async world => ({ body: makeForm(await fileOf(world, 'pdf'), 'letter.pdf') }),
    also: {
      'a file that is not a letter': () => ({ body: makeForm('plain text', 'letter.pdf') }),
      'a file that was changed': async world => ({
        body: makeForm(new Blob([await fileOf(world, 'pdf'), ' ']), 'letter.pdf'),
      }),
      'another PDF': () => ({ body: makeForm('%PDF-1.4 of someone else', 'letter.pdf') }),
      'a credential': async world => ({ body: makeForm(await fileOf(world, 'jwt'), 'letter.jwt') }),
      'an Open Badge': async world => ({ body: makeForm(await fileOf(world, 'ob3'), 'badge.jwt') }),
    },
    refuses: {
      'a PDF under another name': async world => ({
        body: makeForm(await fileOf(world, 'pdf'), 'letter.txt'),
      }),
      'a credential under another name': async world => ({
        body: makeForm(await fileOf(world, 'jwt'), 'letter.pdf'),
      }),
    },
    ignoredFields: ['letter.previous_check_at'],
  },
  checkCredential: {
    succeeds: async world => ({
      body: { credential: new TextDecoder().decode(await fileOf(world, 'jwt')) },
    }),
    also: { 'text that is not a credential': () => ({ body: { credential: 'plain text' } }) },
    ignoredFields: ['letter.previous_check_at'],
  },
  email: {
    succeeds: async world => ({
      token: (await world.user()).token,
      path: email(await codeOf(world)),
      body: { email: 'colleague@users.test', message: 'As asked for.' },
    }),
    also: {
      'a letter that was replaced': async world => {
        const { token, code } = await createReplacedLetter(world)
        return { token, path: email(code), body: { email: 'colleague@users.test' } }
      },
    },
    refuses: {
      'a letter that was withdrawn': async world => {
        const { token, code } = await changed(world, 'withdrawn')
        return { token, path: email(code), body: { email: 'colleague@users.test' } }
      },
      'another’s': async world => ({
        token: (await world.otherUser()).token,
        path: email(await codeOf(world)),
        body: { email: 'colleague@users.test' },
      }),
      'a web address in it': async world => ({
        token: (await world.user()).token,
        path: email(await codeOf(world)),
        body: { email: 'colleague@users.test', message: 'See www.users.test' },
      }),
    },
  },
  zip: {
    succeeds: async world => ({
      token: (await world.user()).token,
      path: `/verification/letters/zip/${(await world.sharedVerification()).transaction_id}`,
    }),
    refuses: {
      'another’s': async world => ({
        token: (await world.otherUser()).token,
        path: `/verification/letters/zip/${(await world.sharedVerification()).transaction_id}`,
      }),
    },
  },
}

export const letterHolderCases: CasesOf<typeof letterHolder> = {
  reissue: {
    succeeds: async world => {
      const { token, code } = await changed(world, 'corrected')
      return { token, path: reissue(code) }
    },
    also: {
      'a valid one': async world => ({
        token: (await world.user()).token,
        path: reissue(await codeOf(world)),
      }),
      'a letter that was replaced': async world => {
        const { token, code } = await createReplacedLetter(world)
        return { token, path: reissue(code) }
      },
    },
    refuses: {
      'a letter that was withdrawn': async world => {
        const { token, code } = await changed(world, 'withdrawn')
        return { token, path: reissue(code) }
      },
      'another’s': async world => ({
        token: (await world.otherUser()).token,
        path: reissue(await codeOf(world)),
      }),
    },
  },
}

export const letterCases: CasesOf<typeof letters> = {
  check: {
    succeeds: letter(code => `/letters/${code}`),
    also: {
      superseded: async world => ({ path: `/letters/${(await changed(world, 'corrected')).code}` }),
      'replaced by a corrected one': async world => ({
        path: `/letters/${(await createReplacedLetter(world)).code}`,
      }),
      withdrawn: async world => ({ path: `/letters/${(await changed(world, 'withdrawn')).code}` }),
      'in lower case': letter(code => `/letters/${code.toLowerCase()}`),
    },
    ignoredFields: ['previous_check_at'],
  },
}

export const brandCases: CasesOf<typeof brand> = {
  stylesheet: { succeeds: () => ({}) },
  image: {
    succeeds: async world => {
      const body = makeForm(new Uint8Array(PNG), 'stamp.png', 'image/png')
      const token = await world.superAdmin()
      const { image } = await world.callOk('POST', '/admin/settings/images/stamp', { token, body })
      // Other tests read letters without images, so this image is removed from the settings; its file stays stored.
      await world.callOk('DELETE', '/admin/settings/images/stamp', { token })
      return { path: String(image).replace(/^\/api/, '') }
    },
  },
}

// The mocks have no disk to measure.
const results = ['database', 'gateway', 'mail', 'backup'].flatMap(part => [
  `parts.${part}.status`,
  `parts.${part}.latency_ms`,
])

const failure = { remote: 'mfe-user', stage: 'rendering', error: 'TypeError', frames: [] }

export const frontEndCases: CasesOf<typeof frontEnds> = {
  report: {
    succeeds: () => ({
      body: { ...failure, release: '3f2a9c', frames: ['/r/mfe-user/3f2a9c/js/12.ab.js:1:204'] },
    }),
    also: { 'a release that is not known': () => ({ body: failure }) },
    refuses: {
      'words of a person': () => ({ body: { ...failure, error: 'Ada Obi has no grade' } }),
      'an address elsewhere': () => ({ body: { ...failure, frames: ['https://elsewhere.test/x.js:1:2'] } }),
    },
  },
}

export const healthCases: CasesOf<typeof health> = {
  alive: { succeeds: () => ({}) },
  ready: {
    succeeds: () => ({}),
    also: { 'for staff': callBy('admin') },
    ignoredFields: ['status', ...results],
  },
}
