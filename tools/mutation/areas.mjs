// The rules for money and access, with the tests that must detect mutations. Only fast tests are listed, which do not
// start a process. Stryker runs each area separately, so that code evaluated on import, such as the table of limits, is
// only tested with the tests of its area.

/**
 * Files with their purpose, and their tests: below edge-api/src, or in a package.
 * @typedef {{ files: Record<string, string>, tests: string[] }} Area
 */

/** Returns the path of an area's file in the checkout. @param {string} file */
export const pathOf = file => (file.startsWith('packages/') ? file : `edge-api/src/${file}`)

/** @type {Record<string, Area>} */
export const areas = {
  money: {
    files: {
      'payments/rules.ts': 'what an answer of the gateway means, and every ledger row of a receipt',
      'db/schema/payment-states.ts': 'the states of a payment and the one way from each to the next',
      'payments/schedule.ts': 'when the gateway is requeried, and when requeries end',
      'payments/refund-rules.ts': 'how money is refunded, and the key that prevents a second refund',
      'payments/reconcile-rules.ts': 'where our books and the gateway’s differ',
    },
    tests: [
      'payments/rules.test.ts',
      'db/schema/payment-states.test.ts',
      'payments/schedule.test.ts',
      'payments/refund-rules.test.ts',
      'payments/reconcile-rules.test.ts',
    ],
  },
  settlement: {
    files: { 'payments/sync.ts': 'the one way in which a payment changes after its start' },
    tests: ['payments/sync.test.ts', 'payments/sync-trail.test.ts'],
  },
  verification: {
    files: {
      'verification/rules.ts':
        'what is shown of a payment, and to whom: nothing of a certificate before it is paid for',
      'packages/rules/src/bulk.ts': 'which of many numbers are reported to the requester',
    },
    tests: ['verification/rules.test.ts', 'verification/replies.test.ts', 'packages/rules/src/bulk.test.ts'],
  },
  users: {
    files: { 'accounts/rules.ts': 'who may do what to whose account' },
    tests: ['accounts/rules.test.ts'],
  },
  limits: {
    files: { 'limits/rules.ts': 'every limit, and who counts as one' },
    tests: ['limits/rules.test.ts'],
  },
  limiter: {
    files: { 'limits/limiter.ts': 'what is counted, and what happens when nothing can be counted' },
    tests: ['limits/limiter.test.ts'],
  },
  secrets: {
    files: {
      'accounts/sign-in-rules.ts': 'how long sessions and mailed links last, and who may log in',
      'accounts/work-queue.ts': 'how many hashes run, and who is turned away',
      'accounts/totp.ts': 'which codes of an authenticator app are right',
    },
    tests: ['accounts/sign-in-rules.test.ts', 'accounts/work-queue.test.ts', 'accounts/totp.test.ts'],
  },
  tokens: {
    files: { 'accounts/tokens.ts': 'which tokens are accepted' },
    tests: ['accounts/tokens.test.ts'],
  },
  passwords: {
    files: { 'accounts/passwords.ts': 'how passwords are stored and compared' },
    tests: ['accounts/passwords.test.ts'],
  },
  access: {
    files: {
      'accounts/authenticate.ts': 'who makes a call',
      'http/access.ts': 'whether a role reaches a route',
      'accounts/second-factor-demand.ts': 'which staff may do nothing before they have a second factor',
      'accounts/second-factor.ts': 'how a second factor is set up, used and removed',
    },
    tests: ['accounts/authenticate.test.ts', 'accounts/second-factor.test.ts'],
  },
}
