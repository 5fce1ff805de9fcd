import { html, raw } from 'hono/html'
import {
  curlExample,
  nodeReceiver,
  pythonExample,
  pythonReceiver,
  typeScriptExample,
} from './first-call-examples.ts'

const block = (id: string, code: string) => html`<pre id="${id}"><code>${code}</code></pre>`

/**
 * The guide for developers, from a test key to a signed webhook. `first-call.test.ts` follows it exactly.
 * @param portal address of this portal, without a trailing slash
 */
export const firstCallPage = (portal: string) => html`${raw('<!doctype html>')}
<html lang="en">
  <head>
    <meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>First call in five minutes · Certificate Verification Portal</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/api/docs/style.css">
  </head>
  <body>
    <h1>First call in five minutes</h1>
    <p>You create a test key, verify a specimen certificate, and receive a signed webhook. In test mode nothing is
      charged and no real certificate is read. All calls are in the <a href="/api/docs">API reference</a>.</p>

    <h2>1. Create a test key</h2>
    <p>If the portal is your own, start it with <code>WEBHOOK_ALLOW_PRIVATE=1</code>, so that it can call a receiver on
      your machine in step 3:</p>
    ${block('start', 'WEBHOOK_ALLOW_PRIVATE=1 npm start')}
    <p>You need an account that is owner or manager of an organisation. Open your organisation, then
      <strong>Developers</strong>, and choose <strong>Create API Key</strong> in <strong>Test</strong> mode with
      <strong>Read and write</strong> access. Copy the key: it is shown once. Then, in a terminal:</p>
    ${block('key', 'export API_KEY=cv_test_…')}

    <h2>2. Verify a certificate</h2>
    ${block('curl', curlExample(portal))}
    <p>The reply has <code>"result": "verified"</code>, the certificate, and the address of a letter that is marked
      SPECIMEN. The <code>Idempotency-Key</code> makes a retry safe: with the same key and body, you get the same reply
      and pay once.</p>
    <p>The same in Python, without any package (<code>verify.py</code>):</p>
    ${block('python', pythonExample(portal))}
    <p>And in TypeScript, with the client in <code>packages/client</code>:</p>
    ${block('typescript', typeScriptExample(portal))}

    <h2>3. Receive a signed webhook</h2>
    <p>Under <strong>Developers</strong>, <strong>Webhooks</strong>, add an endpoint in <strong>Test</strong> mode with the
      event <code>verification.completed</code>, and copy its secret. The portal only calls public <code>https</code>
      addresses: to reach your own machine, use a tunnel, or a portal that was started as in step 1; its endpoint is
      <code>http://127.0.0.1:4000/webhooks</code>. Give your receiver the secret and its port:</p>
    ${block('secret', 'export WEBHOOK_SECRET=whsec_…\nexport PORT=4000')}
    <p>A receiver in Python (<code>python3 receiver.py</code>):</p>
    ${block('python-receiver', pythonReceiver)}
    <p>Or in Node (<code>node receiver.mjs</code>):</p>
    ${block('node-receiver', nodeReceiver)}
    <p>Verify a certificate again as in step 2, with another <code>Idempotency-Key</code>. The receiver prints
      <code>genuine verification.completed</code> and the ID of the event. Reply with 2xx within 10 seconds; otherwise the
      portal tries again, for up to three days. The same event can arrive twice: remember the <code>webhook-id</code>.</p>

    <h2>4. Go live</h2>
    <ul>
      <li>Try the other <a href="/dashboard/organisations">test numbers</a>: low balance, consent, limits and errors.</li>
      <li>Ask the institution to vet your organisation, then create a live key.</li>
      <li>Keep keys on your server. If one becomes known, rotate it: the old one can keep working while you change over.</li>
    </ul>
  </body>
</html>`
