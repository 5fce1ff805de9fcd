import { createHash } from 'node:crypto'

/**
 * Returns a hash in the browser's integrity format.
 * @param {string | Uint8Array} bytes
 */
export const sri = bytes => `sha384-${createHash('sha384').update(bytes).digest('base64')}`
