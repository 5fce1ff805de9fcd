import { webhookMessages } from '@portal/rules/webhooks'
import type { Reader } from '../db/database.ts'
import { Fault, invalidField } from '../fault.ts'
import { findEndpoint } from '../organisation-events/endpoint-store.ts'
import type { EndpointRow } from '../organisation-events/event-store.ts'
import { parseTargetUrl, resolveTargetAddress, TargetRefusedError } from '../organisation-events/target.ts'
import type { Ports } from '../ports.ts'

/** Finds an endpoint that has not been deleted. @throws Fault `NOT_FOUND` */
export async function endpointOrFail(
  db: Reader,
  key: { organisationId: string; id: string },
): Promise<EndpointRow> {
  const found = await findEndpoint(db, key)
  if (!found) throw new Fault('NOT_FOUND', { message: webhookMessages.noEndpoint })
  return found
}

/**
 * Normalises the URL of an endpoint. A host that cannot be resolved now is accepted, because it is checked again at each
 * attempt.
 * @throws Fault `VALIDATION_ERROR` if webhooks may not be sent to it
 */
export async function parseWebhookUrl(
  { outgoing, environment }: Pick<Ports, 'outgoing' | 'environment'>,
  text: string,
): Promise<string> {
  try {
    const url = parseTargetUrl(text, environment)
    await resolveTargetAddress(outgoing, url, environment).catch(error => {
      if (error instanceof TargetRefusedError) throw error
    })
    return url.href
  } catch (error) {
    if (error instanceof TargetRefusedError) throw invalidField('url', error.message, error)
    throw error
  }
}
