/* Rules for webhook endpoints, shared by the API and its mocks. */

export const webhookMessages = {
  notWeb: 'Please enter a web address that starts with https://.',
  notSecure: 'Please use https, so that no one can read the events in transit.',
  credentials: 'Please leave out the user name and password: requests are signed instead.',
  port: 'Please use port 443, or a port from 1024 up.',
  private: 'This address belongs to a private network.',
  fixedMode: 'The mode of an endpoint cannot be changed. Please add another endpoint.',
  otherMode: 'Please choose an endpoint of the same mode.',
  noEndpoint: 'There is no such webhook endpoint.',
  noEvent: 'There is no such event.',
  added: 'Webhook endpoint added. Copy its secret now; it will not be shown again.',
  updated: 'Webhook endpoint updated.',
  deleted: 'Webhook endpoint deleted.',
  enabled: 'Webhook endpoint enabled.',
  disabled: 'Webhook endpoint disabled.',
  rotated: 'New secret created. The previous one also signs for 24 hours.',
  pinged: 'The ping is being sent.',
  redelivering: 'The event is being sent again.',
  redeliveringFailed: 'The events are being sent again.',
  nothingMissed: 'There are no events to send again.',
} as const

/** Returns the message after the events that an endpoint missed have been queued. */
export const redeliveringMessage = (queued: number): string =>
  queued === 0 ? webhookMessages.nothingMissed : webhookMessages.redeliveringFailed

/** Matches host names that are never public, whatever they resolve to. */
const LOCAL_NAME = /^(?:[^.:]+|(?:.+\.)?(?:localhost|local|internal|intranet|lan|home\.arpa|corp))$/

/** Returns the host of a URL, without the brackets of an IPv6 address and without trailing dots. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

/**
 * Returns what is wrong with the URL of an endpoint, if anything. Does not check the IP address of its host.
 * @param allowPrivate also allows `http` and private host names, for tests
 */
export function webhookUrlProblem(
  text: string,
  { allowPrivate }: { allowPrivate: boolean },
): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || !hostOf(url)) return webhookMessages.notWeb
  if (url.protocol !== 'https:' && !allowPrivate) return webhookMessages.notSecure
  if (url.username || url.password) return webhookMessages.credentials
  // For the default port of a scheme, `URL` has an empty string.
  if (url.port !== '' && Number(url.port) < 1024) return webhookMessages.port
  return !allowPrivate && LOCAL_NAME.test(hostOf(url)) ? webhookMessages.private : undefined
}
