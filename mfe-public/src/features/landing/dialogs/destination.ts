import { paths } from '@portal/router/paths'

/** Where a log-in leads: to the verification that waited for it, else to the dashboard. */
export function destinationAfterLogin(waitingNumber: string | undefined): string {
  return waitingNumber ? paths.dashboard('verify') : paths.dashboard()
}
