/*
 * Where the gateway sends the payer's browser back to. It tells the window that opened it to ask for the status, and
 * closes. The message is a hint: what counts is the answer that the portal then gets from its own server.
 */

/** Runs on the page; an external file, since the portal's policy allows no inline script. */
export const RETURN_SCRIPT = `'use strict'
const transaction = document.documentElement.dataset.transaction
if (transaction && window.opener) {
  try {
    window.opener.postMessage({ type: 'PAYMENT_SUCCESS', transaction_id: transaction }, window.location.origin)
  } catch {
    // The opener has gone elsewhere: the link on the page leads back.
  }
  window.close()
}
`

/** Its look, close to the portal's own: paper, ink and the deep green. */
export const RETURN_STYLE = `:root {
  color-scheme: light dark;
  --paper: #fbfaf6;
  --ink: #16241f;
  --line: #d8e0db;
  --brand: #0d5940;
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

/** The page itself; without script, opener or known payment it still says where to go on. */
export function returnPage(transactionId: string | undefined): string {
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
<p><a href="/dashboard/verify">Go on in the portal</a></p>
</main>
</body>
</html>
`
}
