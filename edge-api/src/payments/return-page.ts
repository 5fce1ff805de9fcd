/*
 * The page to which the gateway sends the payer's browser. In a separate window or tab, it notifies the page that opened it,
 * and closes; in a tab that left the portal for the gateway, it returns to the payment step. The message is not trusted: the
 * result comes from the portal's own server.
 */

/** The page's script. It is served as a file, because the portal's security policy allows no inline scripts. */
export const RETURN_SCRIPT = `'use strict'
const transaction = document.documentElement.dataset.transaction

/** Where this tab was before it went to the gateway with this payment. */
function storedAddress() {
  try {
    const note = JSON.parse(sessionStorage.getItem('portal.payment-return'))
    if (note.transaction !== transaction) return undefined
    sessionStorage.removeItem('portal.payment-return')
    const address = new URL(note.path, location.origin)
    return address.origin === location.origin ? address.href : undefined
  } catch {
    return undefined
  }
}

function report() {
  const message = { type: 'PAYMENT_SUCCESS', transaction_id: transaction }
  try {
    window.opener?.postMessage(message, location.origin)
  } catch {
    // The opener has navigated elsewhere.
  }
  try {
    // A checkout with its own opener policy severs this page from the one that opened it.
    const channel = new BroadcastChannel('portal-payment')
    channel.postMessage(message)
    channel.close()
  } catch {
    // The portal finds out with a status check.
  }
  window.close()
}

if (transaction) {
  const address = storedAddress()
  if (address) location.replace(address)
  else report()
}
`

/** The page's style, similar to the portal's. */
export const RETURN_STYLE = `:root {
  color-scheme: light dark;
  --paper: #fbfaf6;
  --ink: #16241f;
  --line: #d8e0db;
  --brand: #0e5b3f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #141b18;
    --ink: #e8eeea;
    --line: #34413b;
    --brand: #7fcfae;
  }
}
body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  place-items: center;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
}
main {
  max-width: 26rem;
  margin: 1.5rem;
  padding-top: 1.5rem;
  border-top: 4px solid var(--brand);
}
h1 {
  margin: 0 0 0.75rem;
  font: 600 1.75rem/1.2 Georgia, serif;
}
a {
  color: var(--brand);
  font-weight: 600;
}
a:focus-visible {
  outline: 3px solid var(--brand);
  outline-offset: 3px;
}
`

/** Returns the page. Even without scripts, an opener or a known payment, it shows where to continue. */
export function renderReturnPage(transactionId: string | undefined): string {
  const data =
    transactionId && /^[A-Z0-9]+$/.test(transactionId) ? ` data-transaction="${transactionId}"` : ''
  return `<!doctype html>
<html lang="en"${data}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Back from the payment</title>
<link rel="stylesheet" href="/api/payments/return.css">
<script src="/api/payments/return.js" defer></script>
</head>
<body>
<main>
<h1>Back from the payment</h1>
<p>You can close this window: the result is shown where you started.</p>
<p><a href="/dashboard/verify">Continue in the portal</a></p>
</main>
</body>
</html>
`
}
