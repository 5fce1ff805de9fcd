import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import * as z from 'zod'
import { createApp } from '../src/app.ts'
import type { Database } from '../src/db/database.ts'
import { runScheduledJobs } from '../src/jobs/scheduled-jobs.ts'
import { auditActivityLog } from '../src/logs/audit.ts'
import { seed } from '../src/seed/seed.ts'
import type { TestSetup } from './payment-setup.ts'

/*
 * Makes every request that the portal supports, over one database: first the flows that change something, then each list with
 * each of its filters, alone and in pairs, for each role, as page and as file.
 */

const MINUTE = 60_000
const DAY = 86_400_000

/** Creates the portal on a test set-up's ports, over another handle of the same database. */
export async function openWholeProduct(setup: TestSetup, database: Database) {
  const ports = { ...setup.ports, openDatabase: () => ({ ...database, close: () => undefined }) }
  const clock = { now: () => setup.ports.time }
  Object.assign(ports, { clock, uploadLimit: 1e6 })
  await seed(ports, setup.database)
  const app = createApp(ports)

  async function call(
    method: string,
    path: string,
    token?: string,
    body?: unknown,
    accept = 'application/json',
  ) {
    const response = await app.request(`/api${path}`, {
      method,
      headers: {
        accept,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    await setup.waitUntilIdle()
    // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape
    return { status: response.status, body: /^[[{]/.test(text) ? (JSON.parse(text) as any) : text }
  }
  const signIn = async (email: string, password = DEMO_PASSWORD): Promise<string> =>
    (await call('POST', '/auth/login', undefined, { email, password })).body.token
  const advance = async (duration = 0) => {
    setup.ports.time += duration
    await runScheduledJobs(ports, database)
    await setup.waitUntilIdle()
  }
  return { ports, database, setup, call, signIn, advance }
}

type Product = Awaited<ReturnType<typeof openWholeProduct>>

/** IDs to use in paths of the contract. */
export interface KnownIds {
  user: string
  transaction: string
  certificate: string
  code: string
  upload: string
  tokens: { user: string; admin: string; superAdmin: string }
}

async function waitForMailedToken({ setup, advance }: Product, page: string, to: string): Promise<string> {
  await advance(MINUTE)
  const mail = setup.ports.sent.findLast(sent => sent.to === to && sent.text.includes(`/${page}/`))
  return new RegExp(`/${page}/([\\w-]+)`).exec(mail?.text ?? '')?.[1] ?? ''
}

async function runAccountFlow(product: Product): Promise<{ token: string; id: string }> {
  const { call, signIn } = product
  const person = makeUser()
  await call('POST', '/auth/register', undefined, person)
  await call('POST', '/auth/resend-verification', undefined, { email: person.email })
  await call('GET', `/auth/verify-email/${await waitForMailedToken(product, 'verify-email', person.email)}`)
  await call('POST', '/auth/login', undefined, { email: person.email, password: 'wrong-Pass1' })
  const firstToken = await signIn(person.email, person.password)
  await call('PUT', '/auth/profile', firstToken, { ...person, lastname: 'Ayinde' })
  await call('POST', '/auth/change-password', firstToken, {
    current_password: person.password,
    new_password: 'Another1Pass',
  })
  await call('POST', '/auth/forgot-password', undefined, { email: person.email })
  const link = await waitForMailedToken(product, 'reset-password', person.email)
  await call('GET', `/auth/reset-password/${link}`)
  await call('POST', `/auth/reset-password/${link}`, undefined, { password: person.password })
  const secondToken = await signIn(person.email, person.password)
  await call('POST', '/auth/logout', secondToken)
  const token = await signIn(person.email, person.password)
  const { body } = await call('GET', '/auth/profile', token)
  return { token, id: body.user?.id ?? '' }
}

async function pay(
  product: Product,
  token: string,
  number: string,
  outcome: 'succeeded' | 'failed' = 'succeeded',
) {
  const { call, setup, advance } = product
  await call('POST', '/verification/check-certificate', token, { certificate_number: number })
  const { body } = await call('POST', '/verification/process-payment', token, { certificate_number: number })
  await call('GET', `/verification/check-verification-status/${body.transaction_id}`, token)
  setup.gateway.setOutcome(body.payment_reference, outcome)
  setup.ports.time += MINUTE
  await call('GET', `/verification/check-verification-status/${body.transaction_id}`, token)
  await advance(MINUTE)
  return String(body.transaction_id)
}

async function runRegisterFlow(product: Product, adminToken: string) {
  const { call, advance } = product
  const { body } = await call('POST', '/admin/certificates', adminToken, makeCertificate())
  const deleted = await call('POST', '/admin/certificates', adminToken, makeCertificate())
  await call('DELETE', `/admin/certificates/${deleted.body.certificate?.id}`, adminToken)
  const header = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
  const lines = [
    'UG/2020/90001,Ada Obi,M1,Law,2020-07-01,Pass,Law',
    'UG/2020/90001,Ada Obi,M1,Law,2020-07-01,Pass,Law',
    'bad,,,,,,',
  ]
  let upload = ''
  for (const query of ['', '?on_conflict=update', '?dry_run=true']) {
    const form = new FormData()
    form.append('file', new File([[header, ...lines].join('\n')], 'some.csv'))
    upload = (await call('POST', `/admin/certificates/upload${query}`, adminToken, form)).body.upload_id
    await advance(MINUTE)
  }
  await call('DELETE', `/admin/certificates/uploads/${upload}`, adminToken)
  return { certificate: body.certificate, upload }
}

async function runStaffFlow(product: Product, adminToken: string, superAdminToken: string): Promise<void> {
  const { call } = product
  const created = await call('POST', '/admin/users', superAdminToken, { ...makeUser(), role: 'user' })
  const path = `/admin/users/${created.body.user?.id}`
  await call('POST', `${path}/resend-verification`, adminToken)
  await call('PUT', path, superAdminToken, { ...makeUser(), role: 'user' })
  await call('PUT', `${path}/verify-email`, adminToken)
  for (const role of ['super_admin', 'user']) await call('PUT', `${path}/role`, superAdminToken, { role })
  for (let times = 0; times < 2; times++) await call('PUT', `${path}/toggle-status`, adminToken)
  await call('PUT', '/admin/settings/verification-fee', adminToken, { fee: 5000, currency: 'NGN' })
  await call('PUT', '/admin/settings/policies', superAdminToken, { public_tracking: 'status' })
}

/** Exports the data of an account with payments, requests its erasure, cancels it, and has it erased in the end. */
async function eraseAccount(product: Product, superAdminToken: string): Promise<void> {
  const { call } = product
  const { token, id } = await runAccountFlow(product)
  await pay(product, token, 'UG/2019/00125')
  await call('GET', '/account/data', token)
  const { body } = await call('POST', '/admin/users', superAdminToken, { ...makeUser(), role: 'user' })
  await call('GET', `/admin/users/${body.user.id}/data`, superAdminToken)
  const input = { current_password: DEMO_PASSWORD }
  await call('POST', `/admin/users/${id}/erasure`, superAdminToken, input)
  await call('DELETE', '/account/erasure', token)
  await call('POST', `/admin/users/${id}/erasure`, superAdminToken, input)
}

/** Runs the flows, with some failing variants. */
export async function runJourneys(product: Product): Promise<KnownIds> {
  const { call, signIn, setup, advance, database } = product
  const adminToken = await signIn(personas.admin.email)
  const superAdminToken = await signIn(personas.superAdmin.email)
  const { token, id } = await runAccountFlow(product)
  const { certificate, upload } = await runRegisterFlow(product, adminToken)
  await runStaffFlow(product, adminToken, superAdminToken)
  const transaction = await pay(product, token, certificate.certificate_number)
  const paid = await call('GET', `/verification/check-verification-status/${transaction}`, token)
  const code = String(paid.body.letter?.code ?? '')
  await call('POST', '/verification/check-certificate', token, { certificate_number: 'UG/2019/99999' })
  await pay(product, token, 'UG/2019/00123', 'failed')
  const numbers = { certificate_numbers: ['UG/2019/00123', 'UG/2019/00124', 'UG/2018/99998'] }
  await call('POST', '/verification/verify-bulk', token, numbers)
  const bulk = await call('POST', '/verification/process-bulk-payment', token, numbers)
  await call('POST', '/verification/bpms/check-all-pending', token)
  setup.gateway.setOutcome(bulk.body.payment_reference, 'succeeded', {
    amountPaid: { minor: 1, currency: 'NGN' },
  })
  await advance(MINUTE)
  await call('PUT', `/admin/certificates/${certificate.id}`, adminToken, {
    ...certificate,
    course: 'Another course',
  })
  await advance(MINUTE)
  await call('POST', `/verification/letters/${code}/reissue`, token)
  await call('POST', `/verification/letters/${code}/email`, token, {
    email: 'colleague@example.org',
    message: '',
  })
  await call('DELETE', `/admin/certificates/${certificate.id}`, adminToken)
  const day = new Date(setup.ports.time).toISOString().slice(0, 10)
  await call('POST', '/admin/bpms/reconcile', adminToken, { date: day })
  await call('POST', `/admin/bpms/reconcile/${bulk.body.transaction_id}`, adminToken)
  await call('POST', '/verification/admin/bulk-check', adminToken)
  await call('POST', `/verification/bpms/check/${transaction}`, token)
  await eraseAccount(product, superAdminToken)
  const { body } = await call('GET', '/admin/refunds', adminToken)
  for (const { id: refund } of body.refunds ?? [])
    await call('POST', `/admin/refunds/${refund}/approve`, superAdminToken, { bank_reference: 'BANK-1' })
  for (let day = 0; day < 2; day++) await advance(20 * DAY)
  await call('POST', '/notifications/read-all', await signIn(personas.admin.email))
  await auditActivityLog(database)
  return {
    user: id,
    transaction,
    certificate: certificate.id,
    code,
    upload,
    tokens: {
      user: await signIn(personas.user.email),
      admin: await signIn(personas.admin.email),
      superAdmin: await signIn(personas.superAdmin.email),
    },
  }
}

/** Returns the values to try for a filter: each of its choices, or typical input. */
function listValues(
  name: string,
  schema: { enum?: unknown[]; anyOf?: { enum?: unknown[] }[] },
  ids: KnownIds,
): string[] {
  const choices = schema.enum ?? schema.anyOf?.flatMap(item => item.enum ?? [])
  if (choices?.length) return choices.map(String)
  if (/search|q$/.test(name)) return ['ad', 'adeb', 'UG/2019/001', 'Ayinde']
  if (/date|(?:^|_)(?:from|to)$/.test(name)) return ['2026-01-10']
  if (/user_id/.test(name)) return [ids.user]
  if (/transaction_id/.test(name)) return [ids.transaction, ids.transaction.slice(0, 6)]
  if (/^(page|per_page|limit)$/.test(name)) return ['2']
  if (/role/.test(name)) return ['user', 'admin,super_admin']
  if (/certificate_number/.test(name)) return ['UG/2019/00123']
  if (/status/.test(name)) return ['success', 'paid', 'APPROVED']
  return ['true']
}

/** Generates the filters of a list: only the required ones, then each optional one alone, and each pair. */
function* generateQueries(route: Route, ids: KnownIds): Generator<[name: string, value: string][]> {
  const schema = route.query && z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' })
  const filters = Object.entries(schema?.properties ?? {}).flatMap(([name, property]) =>
    listValues(name, property as { enum?: unknown[] }, ids).map((value): [string, string] => [name, value]),
  )
  const required = filters.filter(([name]) => schema?.required?.includes(name)).slice(0, 1)
  yield required
  for (const [index, first] of filters.entries()) {
    if (first[0] === required[0]?.[0]) yield [first]
    if (first[0] === required[0]?.[0]) continue
    yield [...required, first]
    for (const second of filters.slice(index + 1))
      if (second[0] !== first[0]) yield [...required, first, second]
  }
}

export function buildPath({ path }: Route, ids: KnownIds): string {
  const parameters: Record<string, string> = {
    transaction_id: ids.transaction,
    code: ids.code,
    kind: 'logo',
    group: 'letter',
    month: '2026-01',
  }
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    if (name !== 'id') return parameters[name] ?? 'x'
    if (path.includes('uploads')) return ids.upload
    if (path.includes('/users/')) return ids.user
    return /\/certificates?\//.test(path) ? ids.certificate : ids.transaction
  })
}

/**
 * Reads every list and record of the contract.
 * @returns filters for which no value was accepted, so `listValues` must be corrected
 */
export async function readEverything(product: Product, ids: KnownIds): Promise<string[]> {
  const tried = new Map<string, boolean>()
  const { user, admin, superAdmin } = ids.tokens
  const callers = {
    public: [''],
    user: [user, superAdmin],
    admin: [admin, superAdmin],
    super_admin: [superAdmin],
    key: [],
  }
  for (const route of Object.values(routes).flatMap((table): Route[] => Object.values(table))) {
    if (route.method !== 'GET' || route.path.includes('{token}')) continue
    for (const token of callers[route.access]) {
      for (const query of generateQueries(route, ids)) {
        const path = `${buildPath(route, ids)}?${new URLSearchParams(query)}`
        const { status } = await product.call('GET', path, token)
        const filter = `${route.path} ${query.map(([name]) => name)}`
        tried.set(filter, tried.get(filter) === true || status !== 400)
        if (route.csv && query.length < 2) await product.call('GET', path, token, undefined, 'text/csv')
      }
    }
  }
  return [...tried].filter(([, isAccepted]) => !isAccepted).map(([filter]) => filter)
}
