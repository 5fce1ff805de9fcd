import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCredentialInput } from '../../test/credential-input.ts'
import { expand } from '../../test/expand.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'
import { buildCredential } from './credential.ts'

let setup: TestSetup
let get: (accept?: string) => Promise<Response>
let vocabulary: string
let expanded: string

beforeAll(async () => {
  setup = await openTestSetup()
  const app = createApp(setup.ports)
  get = async accept => await app.request('/api/vocabulary', accept ? { headers: { Accept: accept } } : {})
  const { PUBLIC_URL } = setup.ports.environment
  vocabulary = `${PUBLIC_URL}/api/vocabulary#`
  const input = makeCredentialInput({ publicUrl: PUBLIC_URL, issuedAt: Date.UTC(2026, 4, 1, 9) })
  const credential = buildCredential(input, PUBLIC_URL)
  expanded = JSON.stringify(await expand(credential))
})
afterAll(() => setup?.close())

/** Returns our own terms in the expanded credential. */
const listUsedTerms = () =>
  new Set([...expanded.matchAll(/api\/vocabulary#(\w+)/g)].map(([, name = '']) => name))

test('every term of a credential has an anchor on the page', async () => {
  const response = await get('text/html,*/*;q=0.8')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(response.headers.get('vary')).toMatch(/accept/i)
  const anchors = new Set([...(await response.text()).matchAll(/ id="(\w+)"/g)].map(([, name = '']) => name))
  expect([...anchors].sort()).toEqual([...listUsedTerms()].sort())
})

test('the same terms are served as a JSON-LD context', async () => {
  const response = await get('application/ld+json')
  expect(response.headers.get('content-type')).toBe('application/ld+json')
  const { '@context': context } = (await response.json()) as { '@context': Record<string, { '@id': string }> }
  expect(Object.keys(context).sort()).toEqual([...listUsedTerms()].sort())
  for (const [name, term] of Object.entries(context)) expect(term['@id']).toBe(vocabulary + name)
  expect(context.graduationDate).toMatchObject({ '@type': 'http://www.w3.org/2001/XMLSchema#date' })
})

test('a program that only accepts plain JSON gets the terms as JSON', async () => {
  const response = await get('application/json')
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual(await (await get('application/ld+json')).json())
})

test('the dates of a credential have data types, and its subject has an identifier', () => {
  expect(expanded).toContain('{"@type":"http://www.w3.org/2001/XMLSchema#date","@value":"2019-07-01"}')
  expect(expanded).toContain(
    '{"@type":"http://www.w3.org/2001/XMLSchema#dateTime","@value":"2026-05-01T09:00:00.000Z"}',
  )
  expect(expanded).toContain('"@id":"urn:uuid:7b0fbf1c-4b6f-4a53-9c0e-0d9f3a3b8a11"')
})
