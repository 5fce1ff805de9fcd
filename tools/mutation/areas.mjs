// Lists the files with rules for money and access, and the tests that must detect mutations of them. Only fast tests are
// listed, which do not start a process. Stryker runs each area separately, so that code that is evaluated on import, such as
// the table of limits, is only tested with the tests of its area.

/**
 * An area: its files with their purpose, and their tests. Paths are below edge-api/src, unless they begin with `packages/`.
 * @typedef {{ files: Record<string, string>, tests: string[] }} Area
 */

/**
 * Returns the path in the checkout of a file of an area.
 * @param {string} file
 */
export const pathOf = file => (file.startsWith('packages/') ? file : `edge-api/src/${file}`)

/** @type {Record<string, Area>} */
export const areas = {
  money: {
    files: {
      'payments/rules.ts': 'interprets answers of the gateway, and calculates the ledger rows of a receipt',
      'db/schema/payment-states.ts': 'the states of a payment and their transitions',
      'payments/schedule.ts': 'the schedule of requeries',
      'payments/refund-rules.ts': 'refunds, and the key that prevents a second one',
      'payments/reconcile-rules.ts': 'differences between our ledger and the gateway’s records',
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
    files: { 'payments/sync.ts': 'every change of a payment after its start' },
    tests: ['payments/sync.test.ts', 'payments/sync-trail.test.ts'],
  },
  verification: {
    files: {
      'verification/rules.ts':
        'who sees which part of a payment: nothing about a certificate before it is paid for',
      'packages/rules/src/bulk.ts': 'the numbers of a list that may be revealed',
    },
    tests: ['verification/rules.test.ts', 'verification/replies.test.ts', 'packages/rules/src/bulk.test.ts'],
  },
  users: {
    files: { 'accounts/rules.ts': 'permissions for actions on accounts' },
    tests: ['accounts/rules.test.ts'],
  },
  limits: {
    files: { 'limits/rules.ts': 'every rate limit, and the key of its subject' },
    tests: ['limits/rules.test.ts'],
  },
  limiter: {
    files: { 'limits/limiter.ts': 'counting of hits, and failures of the counters' },
    tests: ['limits/limiter.test.ts'],
  },
  secrets: {
    files: {
      'accounts/sign-in-rules.ts': 'the lifetime of sessions and mailed links, and the conditions of a login',
      'accounts/work-queue.ts': 'concurrency of password hashes, and refusals',
      'accounts/totp.ts': 'codes of authenticator apps',
    },
    tests: ['accounts/sign-in-rules.test.ts', 'accounts/work-queue.test.ts', 'accounts/totp.test.ts'],
  },
  tokens: {
    files: { 'accounts/tokens.ts': 'session tokens' },
    tests: ['accounts/tokens.test.ts'],
  },
  passwords: {
    files: { 'accounts/passwords.ts': 'hashing and comparing of passwords' },
    tests: ['accounts/passwords.test.ts'],
  },
  access: {
    files: {
      'accounts/authenticate.ts': 'authentication of calls',
      'http/access.ts': 'access of roles to routes',
      'accounts/second-factor-policy.ts': 'the requirement of a second factor for staff',
      'accounts/second-factor.ts': 'set-up, use and removal of a second factor',
    },
    tests: ['accounts/authenticate.test.ts', 'accounts/second-factor.test.ts'],
  },
}
