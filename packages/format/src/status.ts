/** The colours of the specification, by meaning: green, orange, red, blue, gray. */
export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral'

/** Names that `@portal/ui/icon` draws; kept as words so that this package needs no icons. */
export type StatusIcon = 'tick' | 'cross' | 'hourglass' | 'progress' | 'ban' | 'warning' | 'info' | 'question'

/** A status is always a word, an icon and a colour together. */
export interface StatusDisplay {
  readonly label: string
  readonly tone: Tone
  readonly icon: StatusIcon
}

const display = (label: string, tone: Tone, icon: StatusIcon): StatusDisplay => ({ label, tone, icon })

const byStatus = new Map<string, StatusDisplay>(
  Object.entries({
    pending: display('Pending', 'warning', 'hourglass'),
    approved: display('Approved', 'success', 'tick'),
    paid: display('Paid', 'success', 'tick'),
    success: display('Success', 'success', 'tick'),
    failed: display('Failed', 'danger', 'cross'),
    not_found: display('Not Found', 'danger', 'cross'),
    cancelled: display('Cancelled', 'neutral', 'ban'),
    processing: display('Processing', 'info', 'progress'),
  }),
)

/** A raw status of the wire (`PAID`, `not_found`, `payment_pending`) in readable words. */
function words(status: string): string {
  const text = status.replaceAll('_', ' ').trim().toLowerCase()
  return text === '' ? 'Unknown' : text.charAt(0).toUpperCase() + text.slice(1)
}

/** Any payment, transaction or row status, upper or lower case. An unlisted one keeps its word, in gray. */
export function statusDisplay(status: string | null | undefined): StatusDisplay {
  const key = (status ?? '').toLowerCase()
  return byStatus.get(key) ?? display(words(key), 'neutral', 'question')
}

/** A row of the verification history: what was paid for, and what it showed. */
export function historyDisplay(paymentStatus: string, result: string | null | undefined): StatusDisplay {
  if (paymentStatus !== 'paid') return display('Payment Pending', 'warning', 'hourglass')
  return result === 'success'
    ? display('Certificate Found', 'success', 'tick')
    : display('Certificate Not Found', 'danger', 'cross')
}

/** The heading of a payment's state, as on the tracking page. */
export function paymentDisplay(status: string | null | undefined): StatusDisplay {
  switch (status) {
    case 'paid':
      return display('Payment Successful', 'success', 'tick')
    case 'pending':
      return display('Payment Pending', 'warning', 'hourglass')
    case 'failed':
      return display('Payment Failed', 'danger', 'cross')
    default:
      return display('Unknown Status', 'neutral', 'question')
  }
}

/** A part of the system: healthy, warning, error; anything else is unknown. */
export function healthDisplay(status: string | null | undefined): StatusDisplay {
  switch (status) {
    case 'healthy':
      return display('Healthy', 'success', 'tick')
    case 'warning':
      return display('Warning', 'warning', 'warning')
    case 'error':
      return display('Error', 'danger', 'cross')
    default:
      return display('Unknown', 'neutral', 'question')
  }
}

/** How a success rate in percent is judged: 80 and above excellent, 60 to 79 good, below that poor. */
export function successRateDisplay(percent: number): StatusDisplay {
  if (percent >= 80) return display('Excellent', 'success', 'tick')
  if (percent >= 60) return display('Good', 'info', 'info')
  return display('Needs improvement', 'warning', 'warning')
}

/** Whether an account may log in. */
export function accountDisplay(enabled: boolean): StatusDisplay {
  return enabled ? display('Enabled', 'success', 'tick') : display('Disabled', 'neutral', 'ban')
}

/** Whether an e-mail address was confirmed. */
export function emailDisplay(verified: boolean): StatusDisplay {
  return verified ? display('Verified', 'success', 'tick') : display('Unverified', 'warning', 'hourglass')
}

/** Whether a letter still stands. */
export function letterDisplay(status: string | null | undefined): StatusDisplay {
  switch (status) {
    case 'valid':
      return display('Valid', 'success', 'tick')
    case 'withdrawn':
      return display('Withdrawn', 'danger', 'ban')
    case 'superseded':
      return display('Superseded', 'warning', 'warning')
    default:
      return display('Unknown', 'neutral', 'question')
  }
}

/** How far an upload of certificates has come. */
export function uploadDisplay(state: string | null | undefined): StatusDisplay {
  switch (state) {
    case 'receiving':
      return display('Receiving', 'info', 'progress')
    case 'importing':
      return display('Importing', 'info', 'progress')
    case 'done':
      return display('Done', 'success', 'tick')
    case 'cancelled':
      return display('Cancelled', 'neutral', 'ban')
    case 'interrupted':
      return display('Interrupted', 'warning', 'warning')
    case 'failed':
      return display('Failed', 'danger', 'cross')
    default:
      return display('Unknown', 'neutral', 'question')
  }
}
