import { makeCertificate } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import {
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  sharedPortal,
  signIn,
  staffToken,
} from '../../test/portal.ts'

interface Log {
  activity: string
  user_id: string | null
  ip_address: string | null
}

const COLUMNS = [
  'certificate_number',
  'student_name',
  'matric_number',
  'course',
  'graduation_date',
  'grade',
  'department',
] as const
type Fields = ReturnType<typeof makeCertificate>
const toCsv = (...rows: Fields[]) =>
  [COLUMNS.join(','), ...rows.map(row => COLUMNS.map(name => row[name] ?? '').join(','))].join('\n')

/** Activities about a payer's payment that the payer's own requests did not cause. */
const GATEWAY_ACTIVITIES = ['Payment reversed', 'Reversed payment received again']

async function entriesOf(id: string, isComplete: (activities: string[]) => boolean): Promise<Log[]> {
  const token = await staffToken('super_admin')
  return eventually(async () => {
    const { body } = await request('GET', `/admin/activity-logs?user_id=${id}&per_page=100`, { token })
    return isComplete(body.logs.map((log: Log) => log.activity)) ? body.logs : undefined
  }, `the log entries of ${id}`)
}

const activitiesWithoutAddress = (logs: readonly Log[]) =>
  logs
    .filter(log => log.ip_address === null && !GATEWAY_ACTIVITIES.includes(log.activity))
    .map(log => log.activity)

/** Creates an admin that only this test uses, so that the log shows exactly what this test did. */
async function newAdmin() {
  const account = await newAccount()
  const token = await staffToken('super_admin')
  const changed = await request('PUT', `/admin/users/${account.id}/role`, { token, body: { role: 'admin' } })
  expect(changed.status).toBe(200)
  return { ...account, ...(await signIn(account.email, account.password)) }
}

test("log entries for user actions contain the user's IP address, even if a job writes the entry", {
  tags: ['DATA-23'],
}, async () => {
  const { id, token } = await newAdmin()
  const upload = (content: string, query = '', name = 'register.csv') => {
    const body = new FormData()
    body.append('file', new File([content], name))
    return request('POST', `/admin/certificates/upload${query}`, { token, body })
  }
  const newRow = makeCertificate()
  await upload(toCsv(newRow), '?dry_run=true')
  await upload(toCsv(newRow))
  await upload('a,b,c')
  const truncated = `--B\r\nContent-Disposition: form-data; name="file"; filename="cut.csv"\r\n\r\n${toCsv(newRow)}\n`
  await request('POST', '/admin/certificates/upload', {
    token,
    body: new Uint8Array(Buffer.from(truncated)),
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
  })
  await cancelUpload(token)

  // The certificate has a letter, so this correction changes the letter.
  const payer = await newAccount()
  const certificate = await newCertificate({ grade: 'Pass' })
  await pay(payer.token, certificate.certificate_number)
  const { id: _, uploader_email: __, uploaded_at: ___, ...fields } = certificate
  await upload(toCsv({ ...fields, grade: 'Third Class' }), '?on_conflict=update')

  const date = new Date().toISOString().slice(0, 10)
  await request('POST', '/admin/bpms/reconcile', { token, body: { date } })
  await request('GET', '/admin/activity-logs', { token, headers: { accept: 'text/csv' } })

  const expected = [
    'Certificate upload dry run',
    'Certificates uploaded',
    'Certificate upload failed',
    'Certificate upload interrupted',
    'Certificate upload cancelled',
    'Letters changed with their certificates',
    'Payments reconciled',
    'Activity logs exported',
  ]
  const logs = await entriesOf(id, activities => expected.every(item => activities.includes(item)))
  expect(activitiesWithoutAddress(logs)).toEqual([])
  const payerLogs = await entriesOf(payer.id, activities =>
    activities.includes('Certificate verification paid'),
  )
  expect(activitiesWithoutAddress(payerLogs)).toEqual([])
})

/** Starts an upload, disconnects, and cancels it. */
async function cancelUpload(token: string): Promise<void> {
  const body = new FormData()
  const rows = Array.from({ length: 20_000 }, () => makeCertificate())
  body.append('file', new File([toCsv(...rows)], 'left.csv'))
  const controller = new AbortController()
  const response = await fetch(`${sharedPortal().url}/api/admin/certificates/upload?dry_run=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' },
    body,
    signal: controller.signal,
  })
  const firstChunk = await response.body?.getReader().read()
  controller.abort()
  const { upload_id: id } = JSON.parse(new TextDecoder().decode(firstChunk?.value).split('\n')[0] ?? '')
  await request('DELETE', `/admin/certificates/uploads/${id}`, { token })
}

async function pay(token: string, certificate_number: string): Promise<void> {
  const { body } = await request('POST', '/verification/process-payment', {
    token,
    body: { certificate_number },
  })
  await endPaymentAtGateway(body.payment_reference, '00')
  await eventually(async () => {
    const status = await request('GET', `/verification/check-verification-status/${body.transaction_id}`, {
      token,
    })
    return status.body.status === 'paid' ? status : undefined
  }, 'the payment')
}
