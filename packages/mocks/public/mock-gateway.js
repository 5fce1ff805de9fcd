// Tells the page that runs the mocks how the payment ended, then does what the real return page does:
// posts PAYMENT_SUCCESS to its opener and closes. Like that one it is only a hint; the status check decides.
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
  said.textContent = settled ? 'Done. You can close this window.' : 'The mocks know no such transaction.'
  if (!settled) return
  window.opener?.postMessage({ type: 'PAYMENT_SUCCESS', transaction_id }, location.origin)
  window.close()
}

for (const button of buttons) {
  button.addEventListener('click', () => {
    said.textContent = 'Telling the portal…'
    const told = { transaction_id, outcome: button.dataset.outcome }
    // `npm run mock` serves this page with the address that takes the answer; in a page's own mocks the channel does.
    const { settleAt } = document.documentElement.dataset
    if (settleAt) void settleOver(settleAt, told)
    else tellPage(told)
  })
}

function tellPage(told) {
  channel.postMessage(told)
  unanswered = setTimeout(() => {
    said.textContent = 'No open page of the portal answers. Keep the page that started this payment open.'
  }, 3000)
}

async function settleOver(address, told) {
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(told) }).catch(() => undefined)
  ended(answer?.ok === true)
}
