import { html, raw } from 'hono/html'
import type { App } from '../http/serve.ts'
import type { Ports } from '../ports.ts'

/*
 * The vocabulary of our credentials. One address serves a page for people, with an anchor for each term, and a JSON-LD context
 * for programs.
 */

const XSD = 'http://www.w3.org/2001/XMLSchema#'

interface Term {
  meaning: string
  /** The XML Schema type of the term's values, if they are not text. */
  type?: 'date' | 'dateTime'
}

/** All terms that are not part of the W3C data model, by name: types first, and then properties. */
export const terms: Readonly<Record<string, Term>> = {
  CertificateVerificationLetter: {
    meaning: 'A credential with the facts of an official verification letter.',
  },
  AwardedCertificate: {
    meaning: 'The certificate that the letter is about. Its identifier is the same in every letter about it.',
  },
  certificateNumber: { meaning: 'Number of the certificate, as printed on it.' },
  degree: { meaning: 'The degree that was awarded, as stated in the letter.' },
  class: { meaning: 'Class of the degree, as stated in the letter.' },
  date: {
    meaning: 'A date written out as in the letter: the date of the award, or the date of the letter itself.',
  },
  graduationDate: { meaning: 'Day of the award (ISO 8601, YYYY-MM-DD).', type: 'date' },
  letter: { meaning: 'The letter itself.' },
  issuedAt: { meaning: 'When the letter was issued (ISO 8601, with time zone).', type: 'dateTime' },
  code: { meaning: 'Code by which anyone can check the letter.' },
  referenceNumber: { meaning: 'Reference number of the letter.' },
  institution: { meaning: 'Name of the institution, as stated in the letter.' },
  institutionAddress: { meaning: 'Address of the institution, as stated in the letter.' },
  recipient: { meaning: 'Who the letter is addressed to.' },
  company: { meaning: 'Name of the recipient: a person or an organisation.' },
  address: { meaning: 'Address of the recipient, line by line.' },
  opening: { meaning: 'First paragraph of the letter.' },
  closing: { meaning: 'Last paragraph of the letter.' },
  thanks: { meaning: 'The letter’s closing words.' },
  signatory: { meaning: 'Who signed the letter.' },
  title: { meaning: 'Office of the signatory.' },
  for: { meaning: 'Who the signatory signed for.' },
  email: { meaning: 'Email address of the signatory.' },
}

const vocabularyUrl = (publicUrl: string) => `${publicUrl}/api/vocabulary#`

const toDefinition = (vocabulary: string, name: string, { type }: Term) => ({
  '@id': vocabulary + name,
  ...(type && { '@type': XSD + type }),
})

/**
 * Returns the JSON-LD context that is embedded in credentials, so that programs need not request it: `@vocab`, and the terms
 * whose values have a type.
 */
export function buildEmbeddedContext(publicUrl: string) {
  const vocabulary = vocabularyUrl(publicUrl)
  const typed = Object.entries(terms).filter(([, { type }]) => type)
  return {
    '@vocab': vocabulary,
    ...Object.fromEntries(typed.map(([name, term]) => [name, toDefinition(vocabulary, name, term)])),
  }
}

/** Returns the JSON-LD context with all terms, for programs that request it. */
function buildFullContext(publicUrl: string) {
  const vocabulary = vocabularyUrl(publicUrl)
  return Object.fromEntries(
    Object.entries(terms).map(([name, term]) => [name, toDefinition(vocabulary, name, term)]),
  )
}

const JSON_TYPES = /\bapplication\/(?:ld\+)?json\b/i

/** Serves `/api/vocabulary`. @param api the app under `/api` */
export function addVocabularyPage(api: App, ports: Ports): void {
  const { PUBLIC_URL } = ports.environment
  const headers = { 'Cache-Control': 'public, max-age=300', Vary: 'Accept' }
  api.get('/vocabulary', c => {
    c.set('pattern', '/vocabulary')
    // Responds with the JSON type that the request lists first. Programs that accept only plain JSON get the same terms.
    const [accepted] = JSON_TYPES.exec(c.req.header('accept') ?? '') ?? []
    if (accepted)
      return c.body(JSON.stringify({ '@context': buildFullContext(PUBLIC_URL) }), 200, {
        ...headers,
        'Content-Type': accepted.toLowerCase(),
      })
    return c.html(renderPage(), 200, headers)
  })
}

function renderPage() {
  const entries = Object.entries(terms).map(
    ([name, { meaning, type }]) =>
      html`<dt id="${name}"><code>${name}</code>${type ? html` (<code>xsd:${type}</code>)` : ''}</dt><dd>${meaning}</dd>`,
  )
  return html`${raw('<!doctype html>')}
<html lang="en">
  <head>
    <meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Vocabulary of verification letters</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/api/docs/style.css">
  </head>
  <body>
    <h1>Vocabulary of verification letters</h1>
    <p>The terms that the credential of a verification letter uses beyond those of the
      <a href="https://www.w3.org/TR/vc-data-model-2.0/">W3C Verifiable Credentials Data Model 2.0</a>. With
      <code>Accept: application/ld+json</code> this address returns the terms as a JSON-LD context.
      <a href="/letters/credentials">What the credential is, and how to check it</a>.</p>
    <dl>${entries}</dl>
  </body>
</html>`
}
