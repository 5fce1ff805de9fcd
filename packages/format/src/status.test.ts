import { expect, test } from 'vitest'
import {
  accountDisplay,
  emailDisplay,
  healthDisplay,
  historyDisplay,
  letterDisplay,
  paymentDisplay,
  statusDisplay,
  successRateDisplay,
} from './status.ts'

test.each([
  ['PENDING', 'Pending', 'warning'],
  ['APPROVED', 'Approved', 'success'],
  ['PAID', 'Paid', 'success'],
  ['FAILED', 'Failed', 'danger'],
  ['CANCELLED', 'Cancelled', 'neutral'],
  ['PROCESSING', 'Processing', 'info'],
  ['paid', 'Paid', 'success'],
  ['success', 'Success', 'success'],
  ['failed', 'Failed', 'danger'],
  ['pending', 'Pending', 'warning'],
  ['not_found', 'Not Found', 'danger'],
  ['refund_due', 'Refund due', 'neutral'],
  ['', 'Unknown', 'neutral'],
  [undefined, 'Unknown', 'neutral'],
  ['constructor', 'Constructor', 'neutral'],
])('labels the status %s as %s in the tone %s', { tags: ['SPEC-4.16'] }, (status, label, tone) => {
  expect(statusDisplay(status)).toMatchObject({ label, tone })
})

test('labels a row of the history by its payment status and its result', { tags: ['SPEC-4.17'] }, () => {
  expect(historyDisplay('pending', 'success')).toEqual({
    label: 'Payment Pending',
    tone: 'warning',
    icon: 'hourglass',
  })
  expect(historyDisplay('failed', 'failed')).toEqual({
    label: 'Payment Pending',
    tone: 'danger',
    icon: 'cross',
  })
  expect(historyDisplay('paid', 'success')).toEqual({
    label: 'Certificate Found',
    tone: 'success',
    icon: 'tick',
  })
  expect(historyDisplay('paid', 'failed')).toEqual({
    label: 'Certificate Not Found',
    tone: 'danger',
    icon: 'cross',
  })
  expect(historyDisplay('paid', null).label).toBe('Certificate Not Found')
})

test('labels a payment as the tracking page does', { tags: ['SPEC-4.23'] }, () => {
  expect(['paid', 'pending', 'failed', 'odd', null].map(s => paymentDisplay(s).label)).toEqual([
    'Payment Successful',
    'Payment Pending',
    'Payment Failed',
    'Unknown Status',
    'Unknown Status',
  ])
})

test('every health status has a different colour and icon', { tags: ['USABILITY-11'] }, () => {
  const all = ['healthy', 'warning', 'error', 'unknown'].map(healthDisplay)
  expect(new Set(all.map(d => d.tone)).size).toBe(4)
  expect(new Set(all.map(d => d.icon)).size).toBe(4)
})

test.each([
  [100, 'Excellent'],
  [80, 'Excellent'],
  [79.9, 'Good'],
  [60, 'Good'],
  [59.9, 'Needs improvement'],
  [0, 'Needs improvement'],
])('rates a success rate of %d as %s', { tags: ['SPEC-4.24', 'SPEC-9.11'] }, (percent, label) => {
  expect(successRateDisplay(percent).label).toBe(label)
})

test('labels accounts, email addresses and letters', () => {
  expect(accountDisplay(true).label).toBe('Enabled')
  expect(accountDisplay(false).label).toBe('Disabled')
  expect(emailDisplay(true).label).toBe('Verified')
  expect(emailDisplay(false).label).toBe('Unverified')
  expect(['valid', 'withdrawn', 'superseded', 'odd'].map(s => letterDisplay(s).label)).toEqual([
    'Valid',
    'Withdrawn',
    'Superseded',
    'Unknown',
  ])
})
