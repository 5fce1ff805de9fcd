const NAMES: Readonly<Record<string, string>> = {
  paystack: 'Paystack',
  interswitch: 'Interswitch',
  bpms: 'BPMS',
  sandbox: 'Sandbox gateway',
  demo: 'Demo gateway',
}

/** A payment gateway by its own name; one that is not known by the name that the API has for it. */
export const gatewayName = (provider: string): string => NAMES[provider] ?? provider
