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
