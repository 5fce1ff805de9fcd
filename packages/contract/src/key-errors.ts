import { type ErrorCode, errorCatalogue } from './errors.ts'

interface Help {
  cause: string
  remedy: string
}

/** Cause and remedy for each error code that `/v1` sends. */
export const keyErrors: Partial<Record<ErrorCode, Help>> = {
  VALIDATION_ERROR: {
    cause: 'A field, a parameter, the JSON or the `Idempotency-Key` is not valid; `fields` names it.',
    remedy: 'Correct the request. Do not retry it unchanged.',
  },
  UNAUTHENTICATED: {
    cause: 'No key was sent, or it is unknown, mistyped, expired or revoked, or the organisation is closed.',
    remedy: 'Send `Authorization: Bearer <key>`. Create or rotate a key under Developers.',
  },
  INSUFFICIENT_BALANCE: {
    cause:
      'The available balance does not cover the fee, or the organisation has a debt. Nothing was charged.',
    remedy: 'Top up the balance, then retry with the same idempotency key.',
  },
  FORBIDDEN: {
    cause: 'The key can only read.',
    remedy: 'Use a key with the access `write`.',
  },
  ORGANISATION_SUSPENDED: {
    cause: 'The institution has suspended the organisation: it can be read, but nothing can be changed.',
    remedy: 'Contact the institution. Retry once the suspension is lifted.',
  },
  ORGANISATION_NOT_VETTED: {
    cause: 'The organisation is not vetted, or its name has changed since: live keys can only read.',
    remedy: 'Ask the institution to vet the organisation. Test keys work without it.',
  },
  NOT_FOUND: {
    cause: 'The address or the ID does not exist, or belongs to another organisation or mode.',
    remedy: 'Check the ID, and that the key has the mode in which it was created.',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The endpoint does not support this method; `Allow` lists those that it accepts.',
    remedy: 'Correct the method.',
  },
  REQUEST_TIMEOUT: {
    cause: 'The request arrived too slowly.',
    remedy: 'Check the connection, and retry with the same idempotency key.',
  },
  LETTER_NOT_PRINTABLE: {
    cause:
      'The register entry contains characters that a letter cannot show. Nothing was charged; staff were notified.',
    remedy: 'Retry on another day, or contact the institution.',
  },
  LIMIT_REACHED: {
    cause: 'Five batches are running.',
    remedy: 'Wait until one is completed, or cancel one.',
  },
  WRONG_STATE: {
    cause: 'The verification or batch has ended, so it cannot be cancelled.',
    remedy: 'Read its current state.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'Another request with the same idempotency key has not ended yet.',
    remedy: 'Wait for `Retry-After` seconds, then send the same request again.',
  },
  IDEMPOTENCY_MISMATCH: {
    cause: 'The idempotency key was used for a different request in the last 7 days.',
    remedy: 'Use a new key for each new request, and the same key only for retries.',
  },
  PAYLOAD_TOO_LARGE: {
    cause: 'The body is larger than 256 kB, or 512 kB for a batch.',
    remedy: 'Split the batch.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The body is not JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  RATE_LIMITED: {
    cause:
      'More than 120 calls a minute with one key, 60 invalid keys a minute from one address, or 200 unknown numbers an hour.',
    remedy: 'Wait for `Retry-After` seconds, then retry.',
  },
  INTERNAL_ERROR: {
    cause: 'An unexpected error in the portal.',
    remedy: 'Retry with the same idempotency key. If it continues, report the `request_id`.',
  },
  DATABASE_UNAVAILABLE: {
    cause: 'The portal is overloaded. Nothing was changed.',
    remedy: 'Wait for `Retry-After` seconds, then retry with the same idempotency key.',
  },
}

/** Returns `keyErrors` as a Markdown table. */
const errorTable = () =>
  [
    '| status | code | cause | what to do |',
    '|---|---|---|---|',
    ...Object.entries(keyErrors).map(
      ([code, { cause, remedy }]) =>
        `| ${errorCatalogue[code as ErrorCode].status} | \`${code}\` | ${cause} | ${remedy} |`,
    ),
  ].join('\n')

/** Returns the part of the API description that is about `/v1`. */
export const describeKeyApi = () => `# API for organisations

Calls below \`/v1\` need an API key and accept nothing else: \`Authorization: Bearer cv_live_…\` or \`cv_test_…\`. The key
determines the organisation and the mode; no cookies are involved. Keep keys on a server: browsers of other origins cannot
read the responses. Every response of these calls to a valid key has \`livemode\`, including errors; an unknown address or
method is refused before the key is read.

**Idempotency.** Send an \`Idempotency-Key\` with every POST that creates something, and the same key again when you retry. For
7 days it replays the first successful response, with \`Idempotent-Replayed: true\`. Errors are not stored, so a retry can
succeed. Cancelling needs no key: a verification or batch that has ended already is refused with \`WRONG_STATE\`.

**Test mode.** Keys that start with \`cv_test_\` never read the register, move money or send mail. Data is kept for 30 days.

| number | what happens |
|---|---|
| \`TEST/2020/001\` | verified, with the specimen letter |
| \`TEST/2020/002\` | the same; the letter is withdrawn after 10 seconds |
| \`TEST/2020/402\` | 402 \`INSUFFICIENT_BALANCE\` |
| \`TEST/2020/409\` | awaits consent, verified after 10 seconds |
| \`TEST/2020/410\` | awaits consent, refused after 10 seconds |
| \`TEST/2020/429\` | 429 with \`Retry-After: 1\` |
| \`TEST/2020/500\` | 500 \`INTERNAL_ERROR\` |
| any other valid number | not found, with a \`hint\` that names the test numbers |

**Versions.** \`/v1\` only grows: new calls, optional fields and values are added at any time, so ignore fields and values that you do not know.
Nothing is removed, and nothing changes its meaning. A call that will be replaced by one of a later version is marked here, and its
responses have a \`Deprecation\` header (RFC 9745) with the date, at least a year before it ends.

**Errors.**

${errorTable()}`
