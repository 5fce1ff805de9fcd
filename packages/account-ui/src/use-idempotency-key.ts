import { useRef } from 'react'

const newKey = () =>
  // `crypto.randomUUID` is available only in secure contexts.
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/**
 * Returns a function that creates the `Idempotency-Key` header for a request. Sending the same content again reuses the key.
 */
export function useIdempotencyKey(): (content: unknown) => { 'idempotency-key': string } {
  const latest = useRef({ content: '', key: '' })
  return content => {
    const text = JSON.stringify(content)
    if (latest.current.content !== text) latest.current = { content: text, key: newKey() }
    return { 'idempotency-key': latest.current.key }
  }
}
