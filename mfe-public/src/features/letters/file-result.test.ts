import type { LetterCheck } from '@portal/contract/letter'
import { type FileCheck, fileResults } from '@portal/contract/letter-files'
import { describe, expect, it } from 'vitest'
import { getFileProblem, MAX_BYTES, toVerdict } from './file-result.ts'

const letter: LetterCheck = {
  status: 'valid',
  status_since: '2026-03-14T12:00:00.000Z',
  code: 'ABCDEFGHJKMN',
  ref_number: 'CV/2026/ABCDEFGH',
  issued_at: '2026-03-14T12:00:00.000Z',
  date: 'March 14, 2026',
  institution: 'University of Somewhere',
  recipient: 'Harmattan Books Limited',
  certificate_number: 'UG/2019/00123',
  certificate_details: { sn: '1', name: 'A', degree: 'B', class: 'C', date: 'D' },
  pdf_url: 'http://localhost/x.pdf',
  credential_url: 'http://localhost/x.jwt',
  open_badge_url: 'http://localhost/x.ob3',
  checks: 1,
  previous_check_at: null,
  checked_at: '2026-03-14T12:00:00.000Z',
}
const signature = {
  signer: 'University of Somewhere',
  key_id: 'k',
  algorithm: 'ES256',
  certificate_fingerprint: null,
  covers_whole_file: true,
}
const genuine: FileCheck = { result: 'genuine', message: '', kind: 'pdf', signature, letter }

describe('toVerdict', () => {
  it('returns a different title for every result', () => {
    const titles = fileResults.map(result => toVerdict({ ...genuine, result }).title)
    expect(new Set(titles).size).toBe(fileResults.length)
  })
  it('is positive only for a genuine file of the expected letter that is still valid', () => {
    expect(toVerdict(genuine).tone).toBe('success')
    expect(toVerdict(genuine, letter.code).tone).toBe('success')
    expect(toVerdict(genuine, 'NMKJHGFEDCBA').tone).toBe('warning')
    for (const status of ['withdrawn', 'superseded'] as const) {
      const verdict = toVerdict({ ...genuine, letter: { ...letter, status } })
      expect(verdict.tone).not.toBe('success')
      expect(verdict.title).toContain('is not valid')
    }
    expect(toVerdict({ ...genuine, letter: null }).tone).toBe('warning')
    for (const result of ['altered', 'not_ours', 'unreadable'] as const)
      expect(toVerdict({ ...genuine, result, letter: null }).tone).not.toBe('success')
  })
  it('never calls a file a forgery', () => {
    for (const result of fileResults)
      expect(Object.values(toVerdict({ ...genuine, result })).join(' ')).not.toMatch(/fake|forge|fraud/i)
  })
})

it('getFileProblem returns the reason if a file is empty or too large', () => {
  expect(getFileProblem({ size: 0 })).toMatch(/empty/)
  expect(getFileProblem({ size: MAX_BYTES })).toBeUndefined()
  expect(getFileProblem({ size: MAX_BYTES + 1 })).toMatch(/5 MB/)
})
