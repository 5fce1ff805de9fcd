import type { Certificate } from '@portal/contract/shapes'
import type { makeCertificate } from '@portal/fixtures/factories'
import { beforeAll } from 'vitest'
import { type ApiResponse, request, staffToken } from './portal.ts'

/* Helpers for files of certificates, and for what staff do with them over HTTP. */

export const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
export const TEMPLATE = HEADER.split(',')

export type Fields = ReturnType<typeof makeCertificate>

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
export const toCsvLine = (fields: Fields) =>
  TEMPLATE.map(name => quote(String(Object.entries(fields).find(([key]) => key === name)?.[1] ?? ''))).join(
    ',',
  )
export const toCsvFile = (...rows: Fields[]) => [HEADER, ...rows.map(toCsvLine)].join('\n')
export const encodeLatin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

export const pickFigures = ({ status, body }: ApiResponse) => ({ status, ...body.summary, ...body.outcomes })

interface Options {
  query?: string
  name?: string
  accept?: string
}

/** Logs an admin in before the tests of a file. @returns functions with which the admin uploads files and finds certificates */
export function setUpUploads() {
  let token = ''
  beforeAll(async () => {
    token = await staffToken('admin')
  })
  const call = (method: string, path: string, body?: unknown) =>
    request(method, path, { token, ...(body !== undefined && { body }) })
  return {
    getToken: () => token,
    /** Sends a call as the admin. */
    call,
    upload(
      content: string | Uint8Array<ArrayBuffer>,
      { query = '', name = 'register.csv', accept }: Options = {},
    ) {
      const body = new FormData()
      body.append('file', new File([content], name))
      return request('POST', `/admin/certificates/upload${query}`, {
        token,
        body,
        ...(accept !== undefined && { headers: { accept } }),
      })
    },
    /** Returns the certificates that a search finds. */
    async findCertificates(search: string): Promise<Certificate[]> {
      const { body } = await call('GET', `/admin/certificates?search=${encodeURIComponent(search)}`)
      return body.certificates
    },
  }
}
