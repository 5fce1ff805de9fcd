import type { ErrorCode } from '@portal/contract/errors'

/** ISO 8583 response codes as Nigerian gateways use them, and the catalogue's code for each. */
export const declines: Readonly<Record<string, ErrorCode>> = {
  '05': 'CARD_DECLINED',
  '14': 'INVALID_CARD',
  '17': 'PAYMENT_CANCELLED',
  '51': 'INSUFFICIENT_FUNDS',
  '54': 'CARD_DECLINED',
  '68': 'PAYMENT_TIMEOUT',
  '91': 'PAYMENT_FAILED',
  Z6: 'PAYMENT_CANCELLED',
}
