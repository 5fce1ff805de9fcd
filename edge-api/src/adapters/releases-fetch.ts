import { AwsClient } from 'aws4fetch'
import type { Environment } from '../environment.ts'

type Settings = Pick<Environment, 'RELEASES_ACCESS_KEY_ID' | 'RELEASES_SECRET_ACCESS_KEY' | 'RELEASES_REGION'>

/**
 * Returns a function that requests files from the releases origin. If keys are configured, requests are signed for
 * S3-compatible storage (Signature Version 4).
 */
export function releasesFetch(
  { RELEASES_ACCESS_KEY_ID: id, RELEASES_SECRET_ACCESS_KEY: secret, RELEASES_REGION: region }: Settings,
  fetch: typeof globalThis.fetch,
): (address: string, init: { signal: AbortSignal }) => Promise<Response> {
  if (!id || !secret) return (address, init) => fetch(address, init)
  const client = new AwsClient({ accessKeyId: id, secretAccessKey: secret, service: 's3', region })
  return async (address, init) => fetch(await client.sign(address), init)
}
