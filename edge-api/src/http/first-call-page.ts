import { html, raw } from 'hono/html'
import type { Environment } from '../environment.ts'
import {
  curlExample,
  nodeReceiver,
  pythonExample,
  pythonReceiver,
  typeScriptExample,
} from './first-call-examples.ts'

const block = (id: string, code: string) => html`<pre id="${id}" tabindex="0"><code>${code}</code></pre>`

/** Returns a command that starts the portal on this portal's ports, and allows webhooks to receivers on the same machine. */
function startCommand({ PORT, PAYMENT_PORT }: PortalFacts): string {
  const ports = PORT === 8080 ? '' : `PORT=${PORT} PAYMENT_PORT=${PAYMENT_PORT} `
  return `${ports}WEBHOOK_ALLOW_PRIVATE=1 npm start`
}

type PortalFacts = Pick<
  Environment,
  'PUBLIC_URL' | 'PORT' | 'PAYMENT_PORT' | 'NODE_ENV' | 'SEED' | 'WEBHOOK_ALLOW_PRIVATE'
>

/**
 * Explains how webhooks reach a receiver on the developer's machine. Empty in production, where the portal sends no webhooks to
 * private addresses.
 */
const receiverNote = (facts: PortalFacts) =>
  facts.NODE_ENV === 'production'
    ? ''
    : html`<p>${
        facts.WEBHOOK_ALLOW_PRIVATE
          ? html`This portal can call a receiver on your machine in step 3, because it was started with:`
          : html`To let this portal call a receiver on your machine in step 3, stop it and start it again in its own
      terminal with:`
      }</p>
    ${block('start', startCommand(facts))}`

/**
 * Returns the guide for developers, from a test key to a signed webhook. `first-call.test.ts` follows it step by step.
 * @param styles style sheets with the portal's custom properties and fonts
 */
export const firstCallPage = (
  facts: PortalFacts,
  styles: readonly string[],
  portal = facts.PUBLIC_URL,
) => html`${raw('<!doctype html>')}
<html lang="en">
  <head>
    <meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>First call in five minutes · Certificate Verification Portal</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    ${[...styles, '/api/docs/style.css'].map(file => html`<link rel="stylesheet" href="${file}">`)}
    <script type="module" src="/api/docs/copy.js"></script>
  </head>
  <body>
    <main>
    <h1>First call in five minutes</h1>
    <p>You create a test key, verify a specimen certificate, and receive a signed webhook. In test mode nothing is
      charged and no real certificate is read. All calls are in the <a href="/api/docs">API reference</a>.</p>

    <h2>1. Create a test key</h2>
    ${receiverNote(facts)}
    <p>Log in as owner or manager of an organisation${
      facts.SEED === 'demo' && facts.NODE_ENV !== 'production'
        ? html` (in the demo data: <code>employer@demo.test</code>, password <code>Demo1234</code>)`
        : ''
    }. Open your <a href="/dashboard/organisations">organisation</a>, then <strong>Developers</strong>, and choose
      <strong>Create API Key</strong> in <strong>Test</strong> mode with <strong>Read and write</strong> access. Copy the
      key: it is shown once. Then, in a terminal:</p>
    ${block('key', 'export API_KEY=cv_test_…')}

    <h2>2. Verify a certificate</h2>
    ${block('curl', curlExample(portal))}
    <p>The reply has <code>"result": "verified"</code>, the certificate, and the address of a letter that is marked
      SPECIMEN. The <code>Idempotency-Key</code> makes a retry safe: with the same key and body, you get the same reply
      and pay once.</p>
    <p>The same in Python, without any package (<code>verify.py</code>):</p>
    ${block('python', pythonExample(portal))}
    <p>And in TypeScript, with the client in <code>packages/client</code>. Save it in the portal's checkout and run
      <code>npx node verify.mts</code>, which uses the checkout's Node 24. Git ignores this file:</p>
    ${block('typescript', typeScriptExample(portal))}

    <h2>3. Receive a signed webhook</h2>
    <p>Under <strong>Developers</strong>, <strong>Webhooks</strong>, choose <strong>Add Endpoint</strong> in
      <strong>Test</strong> mode with the event <code>verification.completed</code>, and copy its secret. The portal only
      calls public <code>https</code> addresses: to reach your own machine, use a tunnel. A portal that was started with
      <code>WEBHOOK_ALLOW_PRIVATE=1</code> also accepts <code>http://127.0.0.1:4000/webhooks</code>. In a second terminal,
      give your receiver the secret and its port:</p>
    ${block('secret', 'export WEBHOOK_SECRET=whsec_…\nexport RECEIVER_PORT=4000')}
    <p>A receiver in Python (<code>python3 receiver.py</code>):</p>
    ${block('python-receiver', pythonReceiver)}
    <p>Or in Node (<code>node receiver.mjs</code>):</p>
    ${block('node-receiver', nodeReceiver)}
    <p>In the first terminal, verify a certificate again as in step 2, with another <code>Idempotency-Key</code>, such as
      <code>first-call-3</code>. The receiver prints
      <code>genuine verification.completed</code> and the ID of the event. Reply with 2xx within 10 seconds; otherwise the
      portal tries again, for up to three days. The same event can arrive twice: remember the <code>webhook-id</code>.</p>

    <h2>4. Go live</h2>
    <ul>
      <li>Try the other test numbers under <strong>Developers</strong>, <strong>Test mode</strong>: low balance, consent,
        limits and errors.</li>
      <li>Ask the institution to vet your organisation, then create a live key.</li>
      <li>Keep keys on your server. If one becomes known, rotate it: the old one can keep working while you change over.</li>
    </ul>
    <p id="copied" role="status"></p>
    </main>
  </body>
</html>`
