// Reports the outcome to the page that runs the mocks, then acts like the real return page: posts PAYMENT_SUCCESS to
// its opener and closes. The message is only a hint; the status check decides.
const query = new URLSearchParams(location.search)
const transaction_id = query.get('transaction_id') ?? ''
const channel = new BroadcastChannel('portal-mock-gateway')
const said = document.querySelector('#said')
const buttons = document.querySelectorAll('button[data-outcome]')

document.querySelector('#amount').textContent = `NGN ${query.get('amount') ?? 'N/A'}`
document.querySelector('#reference').textContent = query.get('reference') ?? 'N/A'
document.querySelector('#transaction').textContent = transaction_id || 'N/A'

let unanswered
channel.addEventListener('message', ({ data }) => {
  if (data?.transaction_id !== transaction_id || !('settled' in data)) return
  clearTimeout(unanswered)
  ended(data.settled)
})

function ended(settled) {
  said.textContent = settled ? 'Done. You can close this window.' : 'The mocks have no such transaction.'
  if (!settled) return
  window.opener?.postMessage({ type: 'PAYMENT_SUCCESS', transaction_id }, location.origin)
  window.close()
}

for (const button of buttons) {
  button.addEventListener('click', () => {
    said.textContent = 'Notifying the portal…'
    const told = { transaction_id, outcome: button.dataset.outcome }
    // `npm run mock` serves this page with the URL to post to; in-page mocks use a channel.
    const { settleAt } = document.documentElement.dataset
    if (settleAt) void settleOver(settleAt, told)
    else notifyPage(told)
  })
}

function notifyPage(told) {
  channel.postMessage(told)
  unanswered = setTimeout(() => {
    said.textContent = 'No open page of the portal responded. Keep the page that started this payment open.'
  }, 3000)
}

async function settleOver(address, told) {
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(told) }).catch(() => undefined)
  ended(answer?.ok === true)
}
