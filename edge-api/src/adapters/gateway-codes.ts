import type { ErrorCode } from '@portal/contract/errors'
import type { Outcome } from '../payment-gateway.ts'

/*
 * Response codes as Interswitch publishes them; BPMS and the sandbox use the two-digit ones and `Z6` too. `WEBPAY`, `SEARCH`
 * and `API` were read on 2026-11-23 as stored excerpts, which end early. `ISO_8583` and `REQUERY` were not read again: their
 * codes are those that the project had collected before.
 */

const WEBPAY =
  'https://sandbox.interswitchng.com/docbase/docs/webpay/transaction-confirmation-leg/response-codes'
const SEARCH = 'https://docs.interswitchgroup.com/docs/swol-response-codes'
const API =
  'https://sandbox.interswitchng.com/docbase/docs/interswitch-payment-gateway/api-payment/api-http-response-codes'
/** Names of two-digit codes; that any which is neither approved nor pending is a failure is published at `SEARCH`. */
const ISO_8583 = 'https://en.wikipedia.org/wiki/ISO_8583#Response_code'
const REQUERY =
  'https://sandbox.interswitchng.com/docbase/docs/interswitch-payment-gateway-mobile-inappsdk-implementation/querying-a-transaction'

export interface PublishedCode {
  meaning: string
  outcome: Outcome
  declineCode?: ErrorCode
  source: string
}

const code = (source: string, meaning: string, outcome: Outcome, declineCode?: ErrorCode): PublishedCode => ({
  meaning,
  outcome,
  source,
  ...(declineCode && { declineCode }),
})
const failure = (source: string, meaning: string, declineCode?: ErrorCode) =>
  code(source, meaning, 'failed', declineCode)
/** The payment API refused the request, so the card was not charged. */
const malformed = (meaning: string) => failure(API, meaning)

/** What each published code means for a payment. */
export const publishedCodes: Readonly<Record<string, PublishedCode>> = {
  '': code(SEARCH, 'No response code: pending', 'pending'),
  '00': code(WEBPAY, "Approved by the payer's bank", 'succeeded'),
  '09': code(SEARCH, 'Pending', 'processing'),
  Z0: code(REQUERY, 'Transaction status unconfirmed', 'processing'),
  '68': code(ISO_8583, 'Response received too late', 'processing', 'PAYMENT_TIMEOUT'),
  // The payer was asked for more and may leave it at that, so these do not keep an attempt open beyond its time.
  T0: code(API, 'A one-time password is required', 'pending'),
  S0: code(API, '3-D Secure is required', 'pending'),
  '17': code(ISO_8583, 'Customer cancellation', 'cancelled', 'PAYMENT_CANCELLED'),
  Z6: code(WEBPAY, 'The customer cancelled before payment was made', 'cancelled', 'PAYMENT_CANCELLED'),
  Z25: code(REQUERY, 'Transaction not found', 'not_found'),
  // With "Amount Inconsistency" money may have come: see `outcomeOf` in the adapter.
  Z1: failure(WEBPAY, 'General transaction error'),
  A8: failure(API, 'Insufficient funds', 'INSUFFICIENT_FUNDS'),
  '05': failure(ISO_8583, 'Do not honour', 'CARD_DECLINED'),
  '06': failure(SEARCH, 'Error'),
  '14': failure(ISO_8583, 'Invalid card number', 'INVALID_CARD'),
  '51': failure(WEBPAY, 'Insufficient funds', 'INSUFFICIENT_FUNDS'),
  '54': failure(ISO_8583, 'Expired card', 'CARD_DECLINED'),
  '91': failure(SEARCH, 'Issuer or switch inoperative', 'PAYMENT_FAILED'),
  // Approvals in ISO 8583 that Interswitch does not describe for this call: a person must look at them.
  '08': code(ISO_8583, 'Honour with identification', 'unknown'),
  '10': code(ISO_8583, 'Approved, partial', 'unknown'),
  '11': code(ISO_8583, 'Approved, VIP', 'unknown'),
  '16': code(ISO_8583, 'Approved, update track 3', 'unknown'),
  E32: malformed('Badly formatted JSON'),
  E37: malformed('Invalid consumer request'),
  E39: malformed('Reference missing'),
  E40: malformed('Currency missing'),
  E41: malformed('Currency not supported'),
  E42: malformed('Card data missing'),
  E43: malformed('Card number missing'),
  E44: malformed('Reference shorter than 6 or longer than 50 characters'),
  E45: malformed('Customer missing'),
  E47: malformed('One-time password missing'),
  E48: malformed('Identifier of the one-time password missing'),
  E49: malformed('Version of the card data not supported'),
  E50: malformed('No valid payment code'),
  E51: malformed('Amount missing'),
  E56: malformed('Invalid character in the card number'),
  E57: malformed('Invalid character in the PIN'),
  E58: malformed('Invalid character in the expiry date'),
  E59: malformed('Invalid character in the CVV'),
}

/** What a code means; an unlisted two-digit one is a failure, any other is not known. */
export const outcomeOfCode = (code: string): Outcome =>
  publishedCodes[code]?.outcome ?? (/^\d\d$/.test(code) ? 'failed' : 'unknown')

/** The catalogue's code for a decline, or undefined when there is none more exact than that it failed. */
export const declineOfCode = (code: string): ErrorCode | undefined => publishedCodes[code]?.declineCode
