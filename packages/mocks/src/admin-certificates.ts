import type { adminCertificates as routes } from '@portal/contract/admin-certificates'
import type { Certificate } from '@portal/contract/shapes'
import { Fault } from './fault.ts'
import { newId } from './ids.ts'
import { followLetters } from './notifications-told.ts'
import { pageOf } from './page-of.ts'
import { contains } from './searching.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'

const matches = (certificate: Certificate, search: string) =>
  [certificate.certificate_number, certificate.student_name, certificate.course].some(text =>
    contains(text, search),
  )

function certificateOrFail(state: MockState, id: string): Certificate {
  const certificate = state.certificates.find(each => each.id === id)
  if (!certificate) throw new Fault('CERTIFICATE_NOT_FOUND')
  return certificate
}

function refuseTakenNumber(state: MockState, number: string, except?: string) {
  const taken = state.certificates.some(each => each.certificate_number === number && each.id !== except)
  if (taken) throw new Fault('CERTIFICATE_EXISTS')
}

/** How many letters are about a certificate. */
const lettersOf = (state: MockState, number: string) =>
  state.payments.filter(each => each.letter_code && each.certificate?.certificate_number === number).length

export const adminCertificates: HandlersOf<typeof routes> = {
  list({ query, state }) {
    const found = state.certificates.filter(each => matches(each, query.search))
    const { rows, pagination } = pageOf(found, query)
    return {
      certificates: rows.map(each => ({ ...each, letters: lettersOf(state, each.certificate_number) })),
      pagination,
    }
  },
  create({ body, user, state, now }) {
    refuseTakenNumber(state, body.certificate_number)
    const certificate: Certificate = {
      ...body,
      id: newId(),
      uploader_email: user.email,
      uploaded_at: now.toISOString(),
    }
    state.certificates.unshift(certificate)
    return { message: 'Certificate added.', certificate }
  },
  update({ params, body, state, now }) {
    const certificate = certificateOrFail(state, params.id)
    refuseTakenNumber(state, body.certificate_number, certificate.id)
    followLetters(state, now, () => Object.assign(certificate, body))
    return { message: 'Certificate updated.', certificate }
  },
  remove({ params, state, now }) {
    const certificate = certificateOrFail(state, params.id)
    const hasLetters = lettersOf(state, certificate.certificate_number) > 0
    const place = state.certificates.indexOf(certificate)
    followLetters(state, now, () => {
      state.certificates = state.certificates.filter(each => each !== certificate)
    })
    state.deleted = [...(state.deleted ?? []), { at: place, certificate }]
    return {
      message: hasLetters
        ? 'Certificate withdrawn. Letters issued for it now say so; its history is kept.'
        : 'Certificate deleted.',
    }
  },
  restore({ params, state, now }) {
    const kept = state.deleted?.find(each => each.certificate.id === params.id)
    if (!kept) throw new Fault('CERTIFICATE_NOT_FOUND')
    refuseTakenNumber(state, kept.certificate.certificate_number)
    followLetters(state, now, () => state.certificates.splice(kept.at, 0, kept.certificate))
    state.deleted = state.deleted?.filter(each => each !== kept) ?? []
    return { message: 'Certificate restored.', certificate: kept.certificate }
  },
}
