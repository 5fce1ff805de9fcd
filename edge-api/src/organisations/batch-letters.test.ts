import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Caller, openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { readZipFiles } from '../../test/zip.ts'

const FEE = 5000

let setup: TestSetup
let portal: TestPortal
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterEach(() => setup.close())

/** Runs a batch of an organisation with a balance. @returns its path */
async function runBatch(id: string, { token }: Caller, certificate_numbers: readonly string[]) {
  const path = `/organisations/${id}/batches`
  const { batch } = await portal.callOk('POST', path, { token, body: { certificate_numbers } })
  await setup.waitUntilIdle()
  return `${path}/${batch.id}`
}

const requestArchive = (path: string, { token }: Caller) =>
  portal.app.fetch(
    new Request(`http://localhost:8080/api${path}/letters.zip`, {
      headers: { authorization: `Bearer ${token}` },
    }),
    { peerAddress: '192.0.2.9' },
  )

test('the letters of a batch are one ZIP file, for the members who can see them', {
  tags: ['LETTER-10'],
}, async () => {
  const { id, owner } = await portal.createOrganisation()
  await portal.fund(id, 10 * FEE)
  const colleague = await portal.addMember(id, owner, 'member')
  const [earlier = '', ...others] = await Promise.all([1, 2, 3].map(() => setup.newCertificate()))
  await portal.verify(id, owner, earlier)
  const path = await runBatch(id, owner, [earlier, 'UG/2018/NOWHERE', '??', ...others])

  const { items } = await portal.callOk('GET', `${path}/items`, { token: owner.token })
  const codes = items.flatMap(({ letter }: { letter: { code: string } | null }) => letter?.code ?? [])
  expect(codes).toHaveLength(3)
  for (const member of [owner, colleague]) {
    const response = await requestArchive(path, member)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(/"verification_letters_[\d-]+\.zip"/)
    const files = readZipFiles(new Uint8Array(await response.arrayBuffer()))
    expect([...files.keys()].map(name => name.slice(-16, -4))).toEqual(codes)
    for (const file of files.values()) expect(new TextDecoder().decode(file.slice(0, 5))).toBe('%PDF-')
  }
})

test('the letters of a batch are not available to other roles, other accounts or through another organisation', {
  tags: ['LETTER-10', 'ORGANISATION-20'],
}, async () => {
  const { id, owner } = await portal.createOrganisation()
  const other = await portal.createOrganisation('Other Limited')
  await portal.fund(id, 2 * FEE)
  const path = await runBatch(id, owner, [await setup.newCertificate()])
  const statusAndCode = async (batchPath: string, caller: Caller) => {
    const response = await requestArchive(batchPath, caller)
    return [response.status, (await response.json()).code]
  }
  const finance = await portal.addMember(id, owner, 'finance')
  expect(await statusAndCode(path, finance)).toEqual([403, 'FORBIDDEN'])
  expect(await statusAndCode(path, other.owner)).toEqual([404, 'ORGANISATION_NOT_FOUND'])
  expect(await statusAndCode(path.replace(id, other.id), other.owner)).toEqual([404, 'NOT_FOUND'])
  const withoutLetters = await runBatch(id, owner, ['UG/2018/NOWHERE'])
  expect(await statusAndCode(withoutLetters, owner)).toEqual([404, 'NOT_FOUND'])
})
