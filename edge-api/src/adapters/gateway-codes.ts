import type { ErrorCode } from '@portal/contract/errors'
import type { Outcome } from '../payment-gateway.ts'

/*
 * Response codes published by Interswitch; BPMS and the sandbox also use the two-digit ones and `Z6`. Taken from archived
 * copies of the pages, read on 2026-11-25 (`PAYMENT_CODES_URL`) and 2026-11-23 (the others). The copy of
 * `PAYMENT_CODES_URL` lists every meaning and status, but lacks the two-character codes themselves; these were matched by
 * the meanings that public integrations and `ISO_8583_URL` give them.
 */

const PAYMENT_CODES_URL = 'https://docs.interswitchgroup.com/docs/payment-response-codes'
const WEBPAY_CODES_URL =
  'https://sandbox.interswitchng.com/docbase/docs/webpay/transaction-confirmation-leg/response-codes'
const SEARCH_CODES_URL = 'https://docs.interswitchgroup.com/docs/swol-response-codes'
const API_CODES_URL =
  'https://sandbox.interswitchng.com/docbase/docs/interswitch-payment-gateway/api-payment/api-http-response-codes'
const ISO_8583_URL = 'https://en.wikipedia.org/wiki/ISO_8583#Response_code'

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
const codes = (source: string, outcome: Outcome, meanings: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(meanings).map(([key, meaning]) => [key, code(source, meaning, outcome)]))

/** Published response codes, and what each means for a payment. */
const publishedCodes: Readonly<Record<string, PublishedCode>> = {
  '': code(SEARCH_CODES_URL, 'No response code: pending', 'pending'),
  // Listed under "Final response codes": successful. The amount is compared with the amount due, so a partial payment is a
  // mismatch.
  '00': code(PAYMENT_CODES_URL, 'Approved by financial institution', 'succeeded'),
  '10': code(PAYMENT_CODES_URL, 'Approved by financial institution, partial', 'succeeded'),
  '11': code(PAYMENT_CODES_URL, 'Approved by financial institution, VIP', 'succeeded'),
  // Listed under "Final response codes": pending and cancelled.
  '09': code(PAYMENT_CODES_URL, 'Transaction in progress', 'processing'),
  '17': code(PAYMENT_CODES_URL, 'Customer cancellation', 'cancelled', 'PAYMENT_CANCELLED'),
  Z6: code(
    WEBPAY_CODES_URL,
    'The customer cancelled before payment was made',
    'cancelled',
    'PAYMENT_CANCELLED',
  ),
  Z69: code(PAYMENT_CODES_URL, 'Customer cancellation of 3-D Secure', 'cancelled', 'PAYMENT_CANCELLED'),
  Z0: code(PAYMENT_CODES_URL, 'Transaction not completed', 'processing'),
  '68': code(PAYMENT_CODES_URL, 'Response received too late', 'processing', 'PAYMENT_TIMEOUT'),
  XS1: code(PAYMENT_CODES_URL, 'Exceeded time period to complete transaction', 'expired'),
  Z25: code(PAYMENT_CODES_URL, 'Transaction not found', 'not_found'),

  // Money may have moved, and no status is published, so staff must check.
  ...codes(PAYMENT_CODES_URL, 'unknown', {
    '08': 'Honor with identification',
    '16': 'Approved by financial institution, update track 3',
    '32': 'Completed partially by financial institution',
    Z5: 'Duplicate reference error',
    '10500': 'HTTP response for different reasons',
  }),

  // Intermediate steps, at which the payer may stop, so these do not keep an attempt open past its deadline.
  ...codes(API_CODES_URL, 'pending', { T0: 'A one-time password is required', S0: '3-D Secure is required' }),
  ...codes(PAYMENT_CODES_URL, 'pending', {
    XG1: 'Successfully retrieved collections account',
    Z61: 'Payment requires token',
    Z62: 'Request to generate token is successful',
    Z65: 'Payment requires token authorization',
    Z66: 'Token authorization successful',
    Z70: 'Cardinal authentication required',
    Z71: 'Cardinal lookup successful',
    Z73: 'Cardinal authenticate successful',
    Z76: 'Wibmo lookup successful',
  }),

  // Failures, which `SEARCH_CODES_URL` describes as "that are not approved and not pending". The payer may try again until
  // the payment expires.
  '51': failure(WEBPAY_CODES_URL, 'Insufficient funds', 'INSUFFICIENT_FUNDS'),
  A8: failure(API_CODES_URL, 'Insufficient funds', 'INSUFFICIENT_FUNDS'),
  '05': failure(PAYMENT_CODES_URL, 'Do not honor', 'CARD_DECLINED'),
  '14': failure(PAYMENT_CODES_URL, 'Invalid card number', 'INVALID_CARD'),
  '33': failure(PAYMENT_CODES_URL, 'Expired card, pick-up', 'CARD_DECLINED'),
  '54': failure(PAYMENT_CODES_URL, 'Expired card', 'CARD_DECLINED'),
  '55': failure(PAYMENT_CODES_URL, 'Incorrect PIN', 'CARD_DECLINED'),
  '56': failure(PAYMENT_CODES_URL, 'No card record', 'INVALID_CARD'),
  '57': failure(PAYMENT_CODES_URL, 'Transaction not permitted to cardholder', 'CARD_DECLINED'),
  '61': failure(PAYMENT_CODES_URL, 'Exceeds withdrawal limit', 'CARD_DECLINED'),
  '62': failure(PAYMENT_CODES_URL, 'Restricted card', 'CARD_DECLINED'),
  '91': failure(PAYMENT_CODES_URL, 'Issuer or switch inoperative', 'PAYMENT_FAILED'),
  Z8: failure(PAYMENT_CODES_URL, 'Invalid card number, via channels', 'INVALID_CARD'),
  ...codes(PAYMENT_CODES_URL, 'failed', {
    '01': 'Refer to financial institution',
    '02': 'Refer to financial institution, special condition',
    '03': 'Invalid merchant',
    '04': 'Pick-up card',
    '06': 'Error',
    '07': 'Pick-up card, special condition',
    '12': 'Invalid transaction',
    '13': 'Invalid amount',
    '15': 'No such financial institution',
    '18': 'Customer dispute',
    '19': 'Re-enter transaction',
    '20': 'Invalid response from financial institution',
    '21': 'No action taken by financial institution',
    '22': 'Suspected malfunction',
    '23': 'Unacceptable transaction fee',
    '24': 'File update not supported',
    '25': 'Unable to locate record',
    '26': 'Duplicate record',
    '27': 'File update field edit error',
    '28': 'File update file locked',
    '29': 'File update failed',
    '30': 'Format error',
    '31': 'Bank not supported',
    '34': 'Suspected fraud, pick-up',
    '36': 'Restricted card, pick-up',
    '38': 'PIN tries exceeded, pick-up',
    '39': 'No credit account',
    '40': 'Function not supported',
    '41': 'Lost card, pick-up',
    '42': 'No universal account',
    '43': 'Stolen card, pick-up',
    '44': 'No investment account',
    '52': 'No check account',
    '53': 'No savings account',
    '58': 'Transaction not permitted on terminal',
    '59': 'Suspected fraud',
    '60': 'Contact acquirer',
    '63': 'Security violation',
    '64': 'Original amount incorrect',
    '65': 'Exceeds withdrawal frequency',
    '66': 'Call acquirer security',
    '67': 'Hard capture',
    '75': 'PIN tries exceeded',
    '76': 'Reserved for future Postilion use',
    '77': 'Intervene, bank approval required',
    '78': 'Intervene, bank approval required for partial amount',
    '90': 'Cut-off in progress',
    '92': 'Routing error',
    '93': 'Violation of law',
    '94': 'Duplicate transaction',
    '95': 'Reconcile error',
    '96': 'System malfunction',
    '98': 'Exceeds cash limit',
    A0: 'Unexpected error',
    A4: 'Transaction not permitted to cardholder, via channels',
    A9: 'Incorrect phone number',
    E21: 'Interswitch processing error',
    E53: 'Interswitch processing error',
    E60: 'Interswitch processing error',
    X03: 'Exceeds maximum amount allowed',
    X04: 'Minimum amount for payment item not met',
    X05: 'The amount is above the limit of the bank',
    XG0: 'Cannot retrieve collections account',
    // If the description is "Amount Inconsistency", money may have been received: see `outcomeOf` in the adapter.
    Z1: 'Transaction error',
    Z2: 'Bank account error',
    Z3: 'Bank collections account error',
    Z4: 'Interface integration error',
    Z7: 'Transaction split pre-processing error',
    Z63: 'Token not generated, customer not registered on token platform',
    Z64: 'Could not generate token',
    Z67: 'Token authorization not successful',
    Z68: 'Could not authenticate token',
    Z72: 'Cardinal lookup failed',
    Z74: 'Cardinal authenticate failed',
    Z77: 'Wibmo lookup failed',
    Z80: 'Error calling Cybersource service',
    Z81: 'BIN has not been configured',
    Z82: 'Merchant not configured for BIN',
    Z162: 'Recurrent transaction rate limit exceeded',
    '10400': 'HTTP response, e.g. for an expired card or a wrong PIN',
    '10403': 'HTTP response for different reasons',
  }),
  '35': failure(ISO_8583_URL, 'Contact acquirer, pick-up'),
  '37': failure(ISO_8583_URL, 'Call acquirer security, pick-up'),
  // The payment API refused the request, so the card was not charged.
  ...codes(API_CODES_URL, 'failed', {
    E32: 'Badly formatted JSON',
    E37: 'Invalid consumer request',
    E39: 'Reference missing',
    E40: 'Currency missing',
    E41: 'Currency not supported',
    E42: 'Card data missing',
    E43: 'Card number missing',
    E44: 'Reference shorter than 6 or longer than 50 characters',
    E45: 'Customer missing',
    E47: 'One-time password missing',
    E48: 'Identifier of the one-time password missing',
    E49: 'Version of the card data not supported',
    E50: 'No valid payment code',
    E51: 'Amount missing',
    E56: 'Invalid character in the card number',
    E57: 'Invalid character in the PIN',
    E58: 'Invalid character in the expiry date',
    E59: 'Invalid character in the CVV',
  }),
}

/**
 * Returns the outcome that a code means: unlisted two-digit codes are failures, and all other unlisted codes are
 * unknown.
 */
export const outcomeOfCode = (code: string): Outcome =>
  publishedCodes[code]?.outcome ?? (/^\d\d$/.test(code) ? 'failed' : 'unknown')

/** Returns our error code for a decline, or undefined for a general failure. */
export const declineOfCode = (code: string): ErrorCode | undefined => publishedCodes[code]?.declineCode
