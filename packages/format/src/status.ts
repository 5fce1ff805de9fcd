/** The specification's colours by their meaning: green, orange, red, blue and grey. */
export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral'

/** Names of icons in `@portal/ui/icon`, as strings so that this package does not depend on the icons. */
export type StatusIcon = 'tick' | 'cross' | 'hourglass' | 'progress' | 'ban' | 'warning' | 'info' | 'question'

/** How to show a status: always with a label, a colour and an icon. */
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

/** Formats a raw API status (`PAID`, `not_found`, `payment_pending`) as words. */
function toWords(status: string): string {
  const text = status.replaceAll('_', ' ').trim().toLowerCase()
  return text === '' ? 'Unknown' : text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Returns how to show the status of a payment, transaction or row, in upper or lower case. An unknown status is shown as words,
 * in grey.
 */
export function statusDisplay(status: string | null | undefined): StatusDisplay {
  const key = (status ?? '').toLowerCase()
  return byStatus.get(key) ?? display(toWords(key), 'neutral', 'question')
}

/**
 * Returns how to show a row of the verification history, by its payment status and its result. The labels are those of the
 * specification.
 */
export function historyDisplay(paymentStatus: string, result: string | null | undefined): StatusDisplay {
  if (paymentStatus === 'failed') return display('Payment Pending', 'danger', 'cross')
  if (paymentStatus !== 'paid') return display('Payment Pending', 'warning', 'hourglass')
  return result === 'success'
    ? display('Certificate Found', 'success', 'tick')
    : display('Certificate Not Found', 'danger', 'cross')
}

/** Returns the heading for a payment's status, as on the tracking page. */
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

/** Returns how to show the health of a system component; any other value counts as unknown. */
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

/** Rates a success rate in percent: excellent from 80, good from 60, otherwise poor. */
export function successRateDisplay(percent: number): StatusDisplay {
  if (percent >= 80) return display('Excellent', 'success', 'tick')
  if (percent >= 60) return display('Good', 'info', 'info')
  return display('Needs improvement', 'warning', 'warning')
}

/** Returns how to show whether an account can log in. */
export function accountDisplay(isEnabled: boolean): StatusDisplay {
  return isEnabled ? display('Enabled', 'success', 'tick') : display('Disabled', 'neutral', 'ban')
}

/** Returns how to show whether an email address is verified. */
export function emailDisplay(isVerified: boolean): StatusDisplay {
  return isVerified ? display('Verified', 'success', 'tick') : display('Unverified', 'warning', 'hourglass')
}

/** Returns how to show the status of a letter. */
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

/** Returns how to show whether a certificate is in the register. */
export function certificateDisplay(state: string): StatusDisplay {
  return state === 'deleted' ? display('Deleted', 'danger', 'ban') : display('Current', 'success', 'tick')
}

/** Returns how to show the status of a job that changes many certificates. */
export function registerJobDisplay(state: string | null | undefined): StatusDisplay {
  if (state === 'queued') return display('Queued', 'info', 'hourglass')
  if (state === 'running') return display('Running', 'info', 'progress')
  return uploadDisplay(state)
}

/** Returns how to show the status of a certificate upload. */
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
