// Reports the outcome to the page that runs the mocks, then acts like the real return page: posts PAYMENT_SUCCESS to
// its opener and closes. The message is only a hint; the status check decides.
const query = new URLSearchParams(location.search)
const transaction_id = query.get('transaction_id') ?? ''
const channel = new BroadcastChannel('portal-mock-gateway')
const statusLine = document.querySelector('#said')
const buttons = document.querySelectorAll('button[data-outcome]')

document.querySelector('#amount').textContent = `NGN ${query.get('amount') ?? 'N/A'}`
document.querySelector('#reference').textContent = query.get('reference') ?? 'N/A'
document.querySelector('#transaction').textContent = transaction_id || 'N/A'

let unanswered
channel.addEventListener('message', ({ data }) => {
  if (data?.transaction_id !== transaction_id || !('settled' in data)) return
  clearTimeout(unanswered)
  showOutcome(data.settled)
})

function showOutcome(settled) {
  statusLine.textContent = settled
    ? 'Done. You can close this window.'
    : 'The mocks have no such transaction.'
  if (!settled) return
  window.opener?.postMessage({ type: 'PAYMENT_SUCCESS', transaction_id }, location.origin)
  window.close()
}

for (const button of buttons) {
  button.addEventListener('click', () => {
    statusLine.textContent = 'Notifying the portal…'
    const message = { transaction_id, outcome: button.dataset.outcome }
    // `npm run mock` serves this page with the URL to post to; in-page mocks use a channel.
    const { settleAt } = document.documentElement.dataset
    if (settleAt) void settleByHttp(settleAt, message)
    else notifyPage(message)
  })
}

function notifyPage(message) {
  channel.postMessage(message)
  unanswered = setTimeout(() => {
    statusLine.textContent =
      'No open page of the portal responded. Keep the page that started this payment open.'
  }, 3000)
}

async function settleByHttp(address, message) {
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(message) }).catch(
    () => undefined,
  )
  showOutcome(response?.ok === true)
}
