const NAMES: Readonly<Record<string, string>> = {
  paystack: 'Paystack',
  interswitch: 'Interswitch',
  bpms: 'BPMS',
  sandbox: 'Sandbox gateway',
  demo: 'Demo gateway',
}

/** Returns the display name of a payment gateway, or the API's name if it is unknown. */
export const gatewayName = (provider: string): string => NAMES[provider] ?? provider
