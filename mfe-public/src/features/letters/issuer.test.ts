import { expect, test } from 'vitest'
import { issuerAt } from './issuer.ts'

test('identifies the issuer by its host, with the port encoded as did:web requires', () => {
  expect(issuerAt({ host: 'registry.example', origin: 'https://registry.example' })).toEqual({
    did: 'did:web:registry.example',
    document: 'https://registry.example/.well-known/did.json',
    keys: 'https://registry.example/.well-known/jwks.json',
    authority: 'https://registry.example/.well-known/letter-ca.pem',
  })
  expect(issuerAt({ host: 'localhost:8080', origin: 'http://localhost:8080' }).did).toBe(
    'did:web:localhost%3A8080',
  )
})
