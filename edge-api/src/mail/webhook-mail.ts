import { formatDateTime } from '@portal/format/dates'
import type { Mail } from '../ports.ts'
import { composeMail, type Recipient, type Sender } from './templates.ts'

/* Mails to owners and managers about a webhook endpoint. */

interface EndpointFacts {
  organisation: { id: string; name: string }
  url: string
}

const developerSettingsAction = (sender: Sender, { organisation }: EndpointFacts) => ({
  label: 'Open developer settings',
  url: `${sender.publicUrl}/dashboard/organisations/${encodeURIComponent(organisation.id)}/developers`,
})

/** Composes the mail that notifies members that an endpoint has not accepted any events for a day. */
export const composeEndpointFailingMail = (
  sender: Sender,
  to: Recipient,
  endpoint: EndpointFacts & { since: number },
): Mail =>
  composeMail(sender, to, {
    subject: `A webhook endpoint of ${endpoint.organisation.name} is failing`,
    preview: new URL(endpoint.url).host,
    heading: 'Webhook endpoint is failing',
    paragraphs: [
      `The endpoint ${endpoint.url} has not accepted any events since ${formatDateTime(endpoint.since)}. We will keep retrying. If the endpoint accepts no events for 5 days, we will disable it.`,
    ],
    action: developerSettingsAction(sender, endpoint),
    notes: [],
  })

const causes = {
  gone: 'returned 410 Gone, so we disabled it.',
  failing: 'has not accepted any events for 5 days, so we disabled it.',
}

/** Composes the mail that notifies members that an endpoint was disabled. */
export const composeEndpointDisabledMail = (
  sender: Sender,
  to: Recipient,
  endpoint: EndpointFacts & { reason: keyof typeof causes },
): Mail =>
  composeMail(sender, to, {
    subject: `A webhook endpoint of ${endpoint.organisation.name} was disabled`,
    preview: new URL(endpoint.url).host,
    heading: 'Webhook endpoint disabled',
    paragraphs: [
      `The endpoint ${endpoint.url} ${causes[endpoint.reason]} Events are kept for 30 days.`,
      'Once the endpoint works again, enable it and redeliver the events that it missed.',
    ],
    action: developerSettingsAction(sender, endpoint),
    notes: [],
  })
