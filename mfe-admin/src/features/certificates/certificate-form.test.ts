import { certificateFields } from '@portal/contract/admin-certificates'
import { demoCertificate } from '@portal/fixtures/certificates'
import { describe, expect, it } from 'vitest'
import { certificateSchema, toFormValues } from './certificate-form.ts'

describe('the certificate form', () => {
  it('starts blank, and reports every required field that is missing', { tags: ['STAFF-8'] }, () => {
    const blank = certificateSchema.safeParse(toFormValues())
    expect(blank.error?.issues.map(issue => issue.path[0])).toEqual(
      Object.keys(certificateFields.shape).filter(name => name !== 'matric_number'),
    )
  })

  it('starts with a stored certificate and returns it unchanged', () => {
    const stored = {
      ...demoCertificate,
      id: '1',
      uploader_email: null,
      uploaded_at: '2026-01-31T08:00:00.000Z',
      updated_at: '2026-01-31T08:00:00.000Z',
      version: 1,
    }
    expect(certificateSchema.parse(toFormValues(stored))).toEqual(demoCertificate)
    const noMatric = { ...stored, matric_number: null }
    expect(certificateSchema.parse(toFormValues(noMatric)).matric_number).toBeNull()
  })
})
