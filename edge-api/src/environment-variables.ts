import * as z from 'zod'
import { ipAddressOf } from './ip-address.ts'

export const port = (fallback: number) =>
  z.coerce.number('must be a number').int().min(1).max(65535).default(fallback)

export const url = (protocols: RegExp) =>
  z.string().refine(value => URL.canParse(value) && protocols.test(new URL(value).protocol))

/** True for a URL that is only an origin: `https://host[:port]` or `http://host[:port]`. */
const isOrigin = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text

/** Allowed values and default value of each variable. */
export const variables = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port(8080),
  PAYMENT_PORT: port(8081),
  PUBLIC_URL: url(/^https?:$/).optional(),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.+|https?:\/\/.+|libsql:\/\/.+|wss?:\/\/.+)$/)
    .default('file:.data/portal.db'),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  DATABASE_REPLICA_URL: z
    .string()
    .regex(/^(https?|libsql|wss?):\/\/.+$/)
    .optional(),
  PAYMENT_DATABASE_URL: z.string().min(1).optional(),
  BACKUP_EVERY_HOURS: z.coerce.number().min(0).max(8760).default(24),
  BACKUP_KEEP_DAYS: z.coerce.number().min(1).max(3650).default(14),
  MAIL_URL: url(/^smtps?:$/).optional(),
  MAIL_FOLDER: z.string().min(1).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$|^.+<[^\s@]+@[^\s@]+>$/)
    .default('no-reply@localhost'),
  // Rejects a value that consists only of commas and spaces, because tokens would then be signed with an empty key.
  JWT_SECRET: z
    .string()
    .regex(/[^\s,]/)
    .optional(),
  PAYMENT_PROVIDER: z.enum(['sandbox', 'bpms', 'interswitch', 'paystack']).default('sandbox'),
  PAYMENT_URL: url(/^https?:$/).optional(),
  PAYMENT_WEBHOOK_SECRET: z.string().min(1).optional(),
  PAYMENT_PAGE_ORIGINS: z
    .string()
    .transform(list => list.split(',').map(origin => origin.trim()))
    .refine(list => list.every(isOrigin))
    .optional(),
  PAYMENT_WEBHOOK_ADDRESSES: z
    .string()
    .transform(list => list.split(',').map(address => ipAddressOf(address) ?? ''))
    .refine(list => list.every(Boolean))
    .optional(),
  PAYMENT_MINIMUM_AMOUNT: z.coerce.number().nonnegative().max(1_000_000).optional(),
  PAYMENT_SETTLEMENT_DAYS: z.coerce.number().int().min(1).max(60).default(7),
  PAYMENT_CONTROL_TOKEN: z.string().min(1).optional(),
  LETTER_SIGNING_KEY: z.string().min(1).optional(),
  LETTER_TIMESTAMP_URL: url(/^https?:$/)
    .refine(address => URL.canParse(address) && !new URL(address).username && !new URL(address).password)
    .optional(),
  SEED: z.enum(['demo', 'none']).default('demo'),
  SUPER_ADMIN_EMAIL: z
    .email()
    .refine(address => !/\.invalid$/i.test(address), 'the domain .invalid is reserved')
    .default('super@demo.test'),
  SUPER_ADMIN_PASSWORD: z.string().min(8).default('Demo1234'),
  UPLOAD_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(500 * 1024 * 1024),
  UPLOAD_MAX_ROWS: z.coerce.number().int().min(1).max(100_000_000).default(2_000_000),
  PASSWORD_COST: z.coerce.number().int().min(4).max(20).default(15),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1),
  CLOCK_OFFSET_SECONDS: z.coerce.number().int().default(0),
  RELEASES_FOLDER: z.string().min(1).default('releases'),
  RELEASE_DEVELOPMENT_KEY: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional(),
  RELEASES_URL: url(/^https?:$/)
    .transform(address => address.replace(/\/+$/, ''))
    .optional(),
  RELEASES_ACCESS_KEY_ID: z.string().min(1).optional(),
  RELEASES_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  RELEASES_REGION: z.string().min(1).default('auto'),
  // Origins of development servers whose code a browser may run in this portal.
  FRONT_END_OVERRIDES: z
    .string()
    .transform(list => list.split(',').map(origin => origin.trim()))
    .refine(list => list.every(origin => origin === 'loopback' || isOrigin(origin)))
    .default([]),
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['0', '1'])
    .default('0')
    .transform(value => value === '1'),
  METRICS_TOKEN: z.string().min(1).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?:$/).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

export type Variables = z.infer<typeof variables>

/** An example of each variable, for the error message when startup fails. */
export const examples: {
  [Name in keyof Variables]-?: string
} & Record<string, string> = {
  NODE_ENV: 'NODE_ENV=production',
  HOST: 'HOST=127.0.0.1',
  PORT: 'PORT=8080 (1 to 65535)',
  PAYMENT_PORT: 'PAYMENT_PORT=8081 (1 to 65535)',
  PUBLIC_URL: 'PUBLIC_URL=https://verify.example.org',
  DATABASE_URL: 'DATABASE_URL=file:.data/portal.db or libsql://portal.example.org',
  DATABASE_AUTH_TOKEN: 'DATABASE_AUTH_TOKEN=eyJ…',
  DATABASE_REPLICA_URL:
    'DATABASE_REPLICA_URL=http://127.0.0.1:8082 (a replica of DATABASE_URL, near this process)',
  PAYMENT_DATABASE_URL: 'PAYMENT_DATABASE_URL=file:.data/payments.db',
  BACKUP_EVERY_HOURS: 'BACKUP_EVERY_HOURS=24 (0 for none)',
  BACKUP_KEEP_DAYS: 'BACKUP_KEEP_DAYS=14',
  MAIL_URL: 'MAIL_URL=smtps://user:password@mail.example.org:465',
  MAIL_FOLDER: 'MAIL_FOLDER=.data/mailbox',
  MAIL_FROM: 'MAIL_FROM=no-reply@example.org',
  JWT_SECRET: 'JWT_SECRET=<at least 32 random bytes>',
  PAYMENT_PROVIDER: 'PAYMENT_PROVIDER=paystack (or bpms, interswitch, or sandbox for testing)',
  PAYMENT_URL: 'PAYMENT_URL=https://gateway.example.org',
  PAYMENT_WEBHOOK_SECRET: 'PAYMENT_WEBHOOK_SECRET=<at least 16 characters>',
  PAYMENT_WEBHOOK_ADDRESSES: 'PAYMENT_WEBHOOK_ADDRESSES=52.31.139.75,52.49.173.169,52.214.14.220',
  PAYMENT_MINIMUM_AMOUNT: 'PAYMENT_MINIMUM_AMOUNT=50 (naira; 0 for none)',
  PAYMENT_SETTLEMENT_DAYS: 'PAYMENT_SETTLEMENT_DAYS=7 (1 to 60)',
  PAYMENT_PAGE_ORIGINS: 'PAYMENT_PAGE_ORIGINS=https://pay.example.org,https://bank.example.org',
  PAYMENT_CONTROL_TOKEN: 'PAYMENT_CONTROL_TOKEN=<any text>',
  LETTER_SIGNING_KEY:
    'LETTER_SIGNING_KEY=<a private P-256 key as JWK, PEM or base64 PKCS #8; see docs/letters.md>',
  LETTER_TIMESTAMP_URL: 'LETTER_TIMESTAMP_URL=https://tsa.example.org (RFC 3161; no password in it)',
  SEED: 'SEED=demo or SEED=none',
  SUPER_ADMIN_EMAIL: 'SUPER_ADMIN_EMAIL=registrar@example.org',
  SUPER_ADMIN_PASSWORD: 'SUPER_ADMIN_PASSWORD=<at least 8 characters>',
  PASSWORD_COST: 'PASSWORD_COST=15 (15 to 20; each step doubles the time to hash a password)',
  UPLOAD_MAX_BYTES: 'UPLOAD_MAX_BYTES=524288000 (500 MB)',
  UPLOAD_MAX_ROWS: 'UPLOAD_MAX_ROWS=2000000',
  TRUST_PROXY: 'TRUST_PROXY=1 (number of proxies in front)',
  RATE_LIMIT_SCALE: 'RATE_LIMIT_SCALE=1',
  CLOCK_OFFSET_SECONDS: 'CLOCK_OFFSET_SECONDS=3600',
  RELEASES_FOLDER: 'RELEASES_FOLDER=/var/lib/portal/releases',
  RELEASE_DEVELOPMENT_KEY: 'RELEASE_DEVELOPMENT_KEY=<43 characters> (npm start sets it)',
  RELEASES_URL: 'RELEASES_URL=https://releases.example.org/portal',
  RELEASES_ACCESS_KEY_ID: 'RELEASES_ACCESS_KEY_ID=<for the private bucket in RELEASES_URL>',
  RELEASES_SECRET_ACCESS_KEY: 'RELEASES_SECRET_ACCESS_KEY=<for the private bucket in RELEASES_URL>',
  RELEASES_REGION: 'RELEASES_REGION=eu-west-1 (auto for R2)',
  FRONT_END_OVERRIDES: 'FRONT_END_OVERRIDES=loopback,https://dev.example.org (never in production)',
  WEBHOOK_ALLOW_PRIVATE: 'WEBHOOK_ALLOW_PRIVATE=1 (for tests: webhooks to http and private addresses)',
  METRICS_TOKEN: 'METRICS_TOKEN=<at least 16 characters>',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 (a collector)',
  LOG_LEVEL: 'LOG_LEVEL=info (debug, info, warn, error or silent)',
}
