// Collects IDs, numbers, codes and addresses from responses, for later requests.

/** The names of the fields whose values are collected. */
const collectedFields =
  /^(?:id|upload_id|transaction_id|bpms_transaction_id|payment_reference|certificate_id|certificate_number|code|email|image)$/
/** The names that requests use for some of the collected fields. */
const aliases = { bpms_transaction_id: 'transaction_id', upload_id: 'adminUploads.id', image: 'name' }
/** How many values are kept per name. The newest are kept. */
const POOL_SIZE = 60

/**
 * Creates an empty collection of values.
 * @param {ReadonlySet<string>} untouchable values that requests must not contain
 */
export function createPools(untouchable) {
  /** @type {Map<string, string[]>} */
  const valuesByPool = new Map()

  function addValue(name, value) {
    const values = valuesByPool.get(name) ?? []
    if (untouchable.has(value) || values.includes(value)) return
    valuesByPool.set(name, [...values, value].slice(-POOL_SIZE))
  }

  function walk(domain, value) {
    if (Array.isArray(value)) for (const item of value) walk(domain, item)
    else if (value && typeof value === 'object')
      for (const [name, fieldValue] of Object.entries(value)) {
        if (typeof fieldValue !== 'string') walk(domain, fieldValue)
        else if (fieldValue && collectedFields.test(name))
          addValue(name === 'id' ? `${domain}.id` : (aliases[name] ?? name), fieldValue.split('/').at(-1))
      }
  }

  return {
    known: valuesByPool,
    /** Collects the values in a successful response. */
    learn(domain, headers, text) {
      if (headers.get('content-type') !== 'application/json' || text === '') return
      walk(domain, JSON.parse(text))
    },
    /** Collects the tokens in the links of mails. */
    async learnLinks(url) {
      const response = await fetch(`${url}/mailbox`, { headers: { accept: 'application/json' } })
      const { mails } = await response.json()
      for (const { to, text } of mails) {
        const token = /\/(?:verify-email|reset-password)\/([\w-]+)/.exec(text)?.[1]
        if (token && !untouchable.has(to)) addValue('token', token)
      }
    },
  }
}
