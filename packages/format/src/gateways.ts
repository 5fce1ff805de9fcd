const NAMES: Readonly<Record<string, string>> = {
  paystack: 'Paystack',
  interswitch: 'Interswitch',
  bpms: 'BPMS',
  sandbox: 'Sandbox gateway',
  demo: 'Demo gateway',
}

/** Returns the display name of a payment gateway; for an unknown one, the name that the API uses. */
export const gatewayName = (provider: string): string => NAMES[provider] ?? provider
