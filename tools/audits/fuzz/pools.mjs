// What answers showed: ids, numbers, codes and addresses that later requests may name.

/** Names under which answers show what a request may be about. */
const worth =
  /^(?:id|upload_id|transaction_id|bpms_transaction_id|payment_reference|certificate_id|certificate_number|code|email|image)$/
/** The same by the name that a request has for it. */
const alias = { bpms_transaction_id: 'transaction_id', upload_id: 'adminUploads.id', image: 'name' }
/** As many of each as are kept, the newest. */
const KEPT = 60

/** @param {ReadonlySet<string>} untouchable values that no request may name */
export function openPools(untouchable) {
  /** @type {Map<string, string[]>} */
  const known = new Map()

  function keep(name, value) {
    const values = known.get(name) ?? []
    if (untouchable.has(value) || values.includes(value)) return
    known.set(name, [...values, value].slice(-KEPT))
  }

  function walk(domain, value) {
    if (Array.isArray(value)) for (const each of value) walk(domain, each)
    else if (value && typeof value === 'object')
      for (const [name, each] of Object.entries(value)) {
        if (typeof each !== 'string') walk(domain, each)
        else if (each && worth.test(name))
          keep(name === 'id' ? `${domain}.id` : (alias[name] ?? name), each.split('/').at(-1))
      }
  }

  return {
    known,
    /** Takes from a successful answer what later requests may name. */
    learn(domain, headers, text) {
      if (headers.get('content-type') !== 'application/json' || text === '') return
      walk(domain, JSON.parse(text))
    },
    /** Takes the tokens of the links that were mailed. */
    async learnLinks(url) {
      const answer = await fetch(`${url}/mailbox`, { headers: { accept: 'application/json' } })
      const { mails } = await answer.json()
      for (const { to, text } of mails) {
        const token = /\/(?:verify-email|reset-password)\/([\w-]+)/.exec(text)?.[1]
        if (token && !untouchable.has(to)) keep('token', token)
      }
    },
  }
}
