import type { adminCertificates as routes } from '@portal/contract/admin-certificates'
import type { Certificate } from '@portal/contract/shapes'
import { byKey } from '@portal/format/by-key'
import { certificateMessages } from '@portal/rules/messages'
import {
  certificateDetail,
  certificateOrFail,
  currentOrDeletedOrFail,
  deletionOf,
  issuedLettersOf,
} from './certificate-detail.ts'
import { Fault } from './fault.ts'
import { changesPage, fieldChanges, recordChange, requireVersion } from './history.ts'
import { newId } from './ids.ts'
import { notifyLetterHolders } from './notify.ts'
import { paginateRows } from './paginate-rows.ts'
import { certificatesIn, facetsOf, matchesFilters, sortCertificates } from './register-list.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'

const KIND = 'certificate'

function requireUnusedNumber(state: MockState, number: string, exceptId?: string) {
  const isTaken = state.certificates.some(
    certificate => certificate.certificate_number === number && certificate.id !== exceptId,
  )
  if (isTaken) throw new Fault('CERTIFICATE_EXISTS')
}

/** Returns the number of letters about a certificate. */
const countLetters = (state: MockState, number: string) =>
  state.payments.filter(payment => payment.letter_code && payment.certificate?.certificate_number === number)
    .length

/** Increments a certificate's version. */
function incrementVersion(certificate: Certificate, now: Date) {
  certificate.version++
  certificate.updated_at = now.toISOString()
}

export const adminCertificates: HandlersOf<typeof routes> = {
  list({ query, state }) {
    const found = sortCertificates(
      certificatesIn(state, query).filter(item => matchesFilters(state, item, query)),
      query.sort ?? '-uploaded_at',
    )
    const { rows, pagination } = paginateRows(found, query)
    return {
      certificates: rows.map(row => ({
        ...row,
        letters: countLetters(state, row.certificate_number),
        ...(query.state === 'deleted' && deletionOf(state, row)),
      })),
      pagination,
    }
  },
  facets: ({ state, now }) => ({ ...facetsOf(state), refreshed_at: now.toISOString() }),
  create(call) {
    const { user, state, now } = call
    const { reason, ...fields } = call.body
    requireUnusedNumber(state, fields.certificate_number)
    const at = now.toISOString()
    const certificate: Certificate = {
      ...fields,
      id: newId(),
      uploader_email: user.email,
      uploaded_at: at,
      updated_at: at,
      version: 1,
    }
    state.certificates.unshift(certificate)
    const { id, certificate_number: label, version } = certificate
    recordChange(call, {
      kind: KIND,
      id,
      label,
      version,
      action: 'created',
      changes: fieldChanges(undefined, fields),
      reason,
    })
    return { message: certificateMessages.added, certificate }
  },
  update(call) {
    const { params, state, now } = call
    const { reason, ...fields } = call.body
    const certificate = certificateOrFail(state, params.id)
    requireVersion(call, certificate.version)
    requireUnusedNumber(state, fields.certificate_number, certificate.id)
    const changes = fieldChanges({ ...certificate }, fields)
    if (changes.length > 0) {
      notifyLetterHolders(state, now, () => Object.assign(certificate, fields))
      incrementVersion(certificate, now)
      const { id, certificate_number: label, version } = certificate
      recordChange(call, { kind: KIND, id, label, version, action: 'updated', changes, reason })
    }
    return { message: certificateMessages.updated, certificate }
  },
  remove(call) {
    const { params, query, user, state, now } = call
    const certificate = certificateOrFail(state, params.id)
    requireVersion(call, certificate.version)
    const { id, certificate_number: label } = certificate
    const hasLetters = countLetters(state, label) > 0
    const position = state.certificates.indexOf(certificate)
    notifyLetterHolders(state, now, () => {
      state.certificates = state.certificates.filter(item => item !== certificate)
    })
    incrementVersion(certificate, now)
    const deletion = { deleted_at: now.toISOString(), deleted_by: user.email }
    state.deleted = [...(state.deleted ?? []), { position, certificate, ...deletion }]
    const action = hasLetters ? 'withdrawn' : 'deleted'
    recordChange(call, { kind: KIND, id, label, version: certificate.version, action, reason: query.reason })
    return {
      message: hasLetters ? certificateMessages.withdrawn : certificateMessages.deleted,
    }
  },
  restore(call) {
    const { params, body, state, now } = call
    const deletedEntry = state.deleted?.find(item => item.certificate.id === params.id)
    if (!deletedEntry) throw new Fault('CERTIFICATE_NOT_FOUND')
    const { certificate } = deletedEntry
    requireVersion(call, certificate.version)
    requireUnusedNumber(state, certificate.certificate_number)
    notifyLetterHolders(state, now, () => state.certificates.splice(deletedEntry.position, 0, certificate))
    state.deleted = state.deleted?.filter(item => item !== deletedEntry) ?? []
    incrementVersion(certificate, now)
    const { id, certificate_number: label, version } = certificate
    recordChange(call, { kind: KIND, id, label, version, action: 'restored', reason: body?.reason })
    return { message: certificateMessages.restored, certificate }
  },
  read({ params, state }) {
    const certificate = currentOrDeletedOrFail(state, params.id)
    const { certificate_number: number } = certificate
    const letters = issuedLettersOf(state, number)
    return {
      certificate: certificateDetail(state, certificate),
      upload: null,
      letters: byKey(
        ['valid', 'withdrawn', 'superseded'] as const,
        status => letters.filter(letter => letter.status === status).length,
      ),
      verifications: state.payments.filter(
        item => item.certificate_number === number && item.status === 'paid',
      ).length,
    }
  },
  history({ params, query, state }) {
    const { id } = currentOrDeletedOrFail(state, params.id)
    return changesPage(state, { kind: KIND, id }, query)
  },
  letters({ params, query, state }) {
    const { certificate_number } = currentOrDeletedOrFail(state, params.id)
    const { rows: letters, pagination } = paginateRows(issuedLettersOf(state, certificate_number), query)
    return { letters, pagination }
  },
}
