import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

/** Returns the content security policy of a page, with `remotes` as the text of remotes.json. */
async function policyWith(remotes: string, path = '/') {
  setup.ports.assets = {
    get: async path =>
      path === '/config/remotes.json'
        ? new Response(remotes)
        : new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
  }
  const response = await createApp(setup.ports).fetch(new Request(`http://localhost:8080${path}`))
  const policy = response.headers.get('content-security-policy') ?? ''
  return new Map(policy.split('; ').map(part => [part.split(' ')[0], part.split(' ').slice(1)]))
}

const remote = (manifest: string, canary?: string) => ({
  name: 'mfe-x',
  manifest,
  ...(canary && { canary: { manifest: canary } }),
})

test('the policy of a page allows the origins in remotes.json, and no others', {
  tags: ['SHIPPING-11'],
}, async () => {
  const remotes = [
    remote('/r/mfe-user/1/mf-manifest.json'),
    remote(
      'https://admin.example.org/r/1/mf-manifest.json',
      'https://next.example.org:8443/r/2/mf-manifest.json',
    ),
    remote('https://admin.example.org/r/other/mf-manifest.json'),
  ]
  const policy = await policyWith(JSON.stringify({ remotes }))
  const origins = ["'self'", 'https://admin.example.org', 'https://next.example.org:8443']
  for (const directive of ['script-src', 'style-src', 'connect-src', 'font-src'])
    expect(policy.get(directive), directive).toEqual(origins)
  expect(policy.get('img-src')).toEqual(["'self'", 'data:', 'blob:', ...origins.slice(1)])
  expect(policy.get('form-action')).not.toContain('https://admin.example.org')
  expect(policy.get('default-src')).toEqual(["'self'"])
})

test('an invalid pointer or URL adds nothing to the policy', async () => {
  const policyWithoutOrigins = await policyWith(
    JSON.stringify({ remotes: [remote('/r/1/mf-manifest.json')] }),
  )
  expect(policyWithoutOrigins.get('script-src')).toEqual(["'self'"])
  for (const text of [
    '',
    '{',
    '[]',
    '{"remotes":[null,1,{"manifest":7}]}',
    JSON.stringify({ remotes: [remote('data:text/javascript,1'), remote("javascript:'https://x.test'")] }),
  ])
    expect(await policyWith(text), text).toEqual(policyWithoutOrigins)
})

test('the policy of an API response allows no other origins', async () => {
  const policy = await policyWith(
    JSON.stringify({ remotes: [remote('https://a.test/m.json')] }),
    '/api/health',
  )
  expect(policy.get('script-src')).toEqual(["'self'"])
})
