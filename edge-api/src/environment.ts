import * as z from 'zod'
import {
  type GatewaySettings,
  gatewayExamples,
  type Problem,
  readGateways,
  wrongAddress,
} from './environment-gateways.ts'
import { type LetterKeySource, readLetterKeys } from './environment-letter-keys.ts'
import { ipAddressOf } from './ip-address.ts'

/*
 * Every variable the product reads, parsed once at start. A wrong or missing value stops the start with the
 * variable's name, what is wrong and an example; the composition roots pass the raw values in. `npm start` makes the
 * secrets that are not given, and keeps them in `.data/`.
 */

const port = (fallback: number) =>
  z.coerce.number('must be a number').int().min(1).max(65535).default(fallback)
const url = (protocols: RegExp) =>
  z.string().refine(value => URL.canParse(value) && protocols.test(new URL(value).protocol))

/** `https://host[:port]` and nothing more. */
const isOrigin = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text

const variables = z.object({
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
  // Commas alone would sign with an empty key.
  JWT_SECRET: z
    .string()
    .regex(/[^\s,]/)
    .optional(),
  PAYMENT_PROVIDER: z.enum(['sandbox', 'bpms', 'interswitch', 'paystack']).default('sandbox'),
  PAYMENT_URL: url(/^https?:$/).optional(),
  PAYMENT_WEBHOOK_SECRET: z.string().min(16).optional(),
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
  METRICS_TOKEN: z.string().min(16).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

type Variables = z.infer<typeof variables>

/** What each variable should look like, for the message that stops a start. */
const examples: { [Name in keyof Variables]-?: string } & Record<string, string> = {
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
  PAYMENT_PROVIDER: 'PAYMENT_PROVIDER=paystack (or bpms, interswitch; sandbox for trying out)',
  PAYMENT_URL: 'PAYMENT_URL=https://gateway.example.org',
  PAYMENT_WEBHOOK_SECRET: 'PAYMENT_WEBHOOK_SECRET=<at least 16 characters>',
  PAYMENT_WEBHOOK_ADDRESSES: 'PAYMENT_WEBHOOK_ADDRESSES=52.31.139.75,52.49.173.169,52.214.14.220',
  PAYMENT_MINIMUM_AMOUNT: 'PAYMENT_MINIMUM_AMOUNT=50 (naira; 0 for none)',
  PAYMENT_SETTLEMENT_DAYS: 'PAYMENT_SETTLEMENT_DAYS=7 (1 to 60)',
  PAYMENT_PAGE_ORIGINS: 'PAYMENT_PAGE_ORIGINS=https://pay.example.org,https://bank.example.org',
  PAYMENT_CONTROL_TOKEN: 'PAYMENT_CONTROL_TOKEN=<any text>',
  LETTER_SIGNING_KEY:
    'LETTER_SIGNING_KEY=<a private P-256 key as JWK, PEM or base64 PKCS #8; docs/letters.md says how to make one>',
  LETTER_TIMESTAMP_URL: 'LETTER_TIMESTAMP_URL=https://tsa.example.org (RFC 3161; no password in it)',
  SEED: 'SEED=demo or SEED=none',
  SUPER_ADMIN_EMAIL: 'SUPER_ADMIN_EMAIL=registrar@example.org',
  SUPER_ADMIN_PASSWORD: 'SUPER_ADMIN_PASSWORD=<at least 8 characters>',
  PASSWORD_COST: 'PASSWORD_COST=15 (15 to 20; each step doubles the work of a password)',
  UPLOAD_MAX_BYTES: 'UPLOAD_MAX_BYTES=524288000 (500 MB)',
  UPLOAD_MAX_ROWS: 'UPLOAD_MAX_ROWS=2000000',
  TRUST_PROXY: 'TRUST_PROXY=1 (how many proxies stand in front)',
  RATE_LIMIT_SCALE: 'RATE_LIMIT_SCALE=1',
  CLOCK_OFFSET_SECONDS: 'CLOCK_OFFSET_SECONDS=3600',
  RELEASES_FOLDER: 'RELEASES_FOLDER=/var/lib/portal/releases',
  METRICS_TOKEN: 'METRICS_TOKEN=<at least 16 characters>',
  LOG_LEVEL: 'LOG_LEVEL=info (debug, info, warn, error or silent)',
}

/** Every variable that is read, so that a process needs leave to read no other. */
export const variableNames: readonly string[] = [...Object.keys(examples), ...Object.keys(gatewayExamples)]

export interface Environment
  extends Omit<
    Variables,
    | 'PUBLIC_URL'
    | 'PAYMENT_URL'
    | 'JWT_SECRET'
    | 'PAYMENT_WEBHOOK_SECRET'
    | 'PAYMENT_PAGE_ORIGINS'
    | 'LETTER_SIGNING_KEY'
  > {
  /** Without a trailing slash. */
  PUBLIC_URL: string
  /** Base of the sandbox gateway, without a trailing slash. */
  PAYMENT_URL: string
  /** The first signs, all verify. */
  JWT_SECRETS: readonly [string, ...string[]]
  PAYMENT_WEBHOOK_SECRET: string
  /** The first signs letters, all verify. */
  letterKeys: readonly LetterKeySource[]
  /** The real gateways that have their variables, by provider. */
  gateways: GatewaySettings
  /** Every origin that a payer's form may be posted or forwarded to. */
  paymentOrigins: readonly string[]
}

/** Stops the start: `message` has one line a variable. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError'
}

/**
 * Parses the environment.
 * @param raw variable name to value, as the operating system or the worker's bindings give them
 * @param runtime `disk`: false where nothing that is written stays, as on workers and on Deno Deploy
 * @throws EnvironmentError naming every variable that is wrong, what is wrong with it, and an example
 */
export function readEnvironment(
  raw: Record<string, string | undefined>,
  { disk = true }: { disk?: boolean } = {},
): Environment {
  // An empty value is how shells and compose files say "not set".
  const given = Object.fromEntries(
    Object.entries(raw).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = variables.safeParse(given)
  const allowLoopback = given.NODE_ENV === 'test'
  const { gateways, problems } = readGateways(given, given.PAYMENT_PROVIDER ?? 'sandbox', allowLoopback)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(
      ({ path: [name] }): Problem => [String(name), notAccepted(String(name), given[String(name)])],
    )
    throw complaint([...wrong, ...problems])
  }
  const values = parsed.data
  const missing = values.NODE_ENV === 'production' ? refusedInProduction(values, given) : []
  const usesSandbox = values.PAYMENT_PROVIDER === 'sandbox'
  if (!values.JWT_SECRET && values.NODE_ENV !== 'production') missing.push(['JWT_SECRET', 'is missing'])
  if (usesSandbox && !values.PAYMENT_WEBHOOK_SECRET) missing.push(['PAYMENT_WEBHOOK_SECRET', 'is missing'])
  if (values.NODE_ENV === 'production') missing.push(...refusedGateway(values.PAYMENT_PROVIDER, gateways))
  const letterKeys = letterKeysOf(values.LETTER_SIGNING_KEY)
  if (letterKeys.length === 0)
    missing.push(['LETTER_SIGNING_KEY', values.LETTER_SIGNING_KEY ? 'is no private P-256 key' : 'is missing'])
  missing.push(...wrongDatabase(values, disk), ...problems, ...wrongSandbox(values.PAYMENT_URL))
  if (missing.length > 0) throw complaint(missing)

  const secrets = (values.JWT_SECRET ?? '').split(',').map(secret => secret.trim())
  const [signing = '', ...verifying] = secrets.filter(Boolean)
  const sandbox = (
    values.PAYMENT_URL ?? `http://${sandboxAt(values.HOST, values.PUBLIC_URL)}:${values.PAYMENT_PORT}`
  ).replace(/\/+$/, '')
  const pages = [gateways.bpms?.url, gateways.interswitch?.payUrl, gateways.paystack?.checkoutUrl]
  if (values.NODE_ENV !== 'production') pages.unshift(sandbox)
  const { PAYMENT_PAGE_ORIGINS: forwarded = [], LETTER_SIGNING_KEY: _, ...others } = values
  return {
    ...others,
    gateways,
    letterKeys,
    paymentOrigins: [
      ...new Set([...pages.flatMap(page => (page ? [new URL(page).origin] : [])), ...forwarded]),
    ],
    PUBLIC_URL: (values.PUBLIC_URL ?? `http://${reachedAt(values.HOST)}:${values.PORT}`).replace(/\/+$/, ''),
    PAYMENT_URL: sandbox,
    JWT_SECRETS: [signing, ...verifying],
    PAYMENT_WEBHOOK_SECRET: values.PAYMENT_WEBHOOK_SECRET ?? '',
  }
}

/**
 * Under which name browsers of this machine reach what listens on `host`: `localhost` where that leads there, else the
 * address itself, since on many machines `localhost` is 127.0.0.1 alone.
 */
function reachedAt(host: string): string {
  const own = host.includes(':') ? `[${host}]` : host
  const everyone = ['127.0.0.1', '0.0.0.0', '::'].includes(host)
  // What is no address at all stops the start when it is to be listened on.
  return everyone || !URL.canParse(`http://${own}`) ? 'localhost' : own
}

/**
 * Under which name browsers reach the sandbox gateway: where it listens on every address, under the one that they reach
 * the portal by. Behind a proxy, over https, it stays this machine's own affair.
 */
function sandboxAt(host: string, publicUrl: string | undefined): string {
  const everywhere = ['0.0.0.0', '::'].includes(host)
  return everywhere && publicUrl?.startsWith('http://') ? new URL(publicUrl).hostname : reachedAt(host)
}

/** None when the variable is not set or holds no keys. The value itself never stands in a message. */
function letterKeysOf(text: string | undefined): LetterKeySource[] {
  try {
    return text ? readLetterKeys(text) : []
  } catch {
    return []
  }
}

/** What is wrong stands in a message that ends in logs: a secret is not repeated there, nor an address with one in it. */
function notAccepted(name: string, given = ''): string {
  const secret = /SECRET|PASSWORD|TOKEN|_KEY$/.test(name) || /@|token/i.test(given)
  return secret ? 'is not accepted' : `"${given}" is not accepted`
}

function wrongDatabase({ DATABASE_URL, DATABASE_REPLICA_URL }: Variables, disk: boolean): Problem[] {
  if (!DATABASE_URL.startsWith('file:')) return []
  if (!disk) return [['DATABASE_URL', 'must name a server: there is no disk here that a file could stay on']]
  return DATABASE_REPLICA_URL
    ? [['DATABASE_REPLICA_URL', 'is set, but DATABASE_URL is a file, which has no replica']]
    : []
}

function wrongSandbox(address: string | undefined): Problem[] {
  const wrong = wrongAddress(address, true)
  return wrong ? [['PAYMENT_URL', wrong]] : []
}

/** A gateway in test mode takes no real money, like the sandbox. */
function refusedGateway(provider: Variables['PAYMENT_PROVIDER'], gateways: GatewaySettings): Problem[] {
  if (provider === 'sandbox') return []
  const mode =
    provider === 'paystack'
      ? gateways.paystack?.secretKey.startsWith('sk_test_') && 'test'
      : gateways[provider]?.mode
  const name =
    provider === 'paystack' ? 'PAYMENT_PAYSTACK_SECRET_KEY' : `PAYMENT_${provider.toUpperCase()}_MODE`
  return mode === 'test'
    ? [[name, 'a gateway in test mode takes no real money and is refused in production']]
    : []
}

function refusedInProduction(values: Variables, given: Record<string, string | undefined>): Problem[] {
  const refused: Problem[] = []
  if (values.PAYMENT_PROVIDER === 'sandbox') {
    refused.push(['PAYMENT_PROVIDER', 'the sandbox gateway takes no real money and is refused in production'])
  }
  if (values.SEED === 'demo') refused.push(['SEED', 'demo data is refused in production; set SEED=none'])
  if (!given.SUPER_ADMIN_EMAIL || !given.SUPER_ADMIN_PASSWORD || values.SUPER_ADMIN_PASSWORD === 'Demo1234') {
    refused.push([
      'SUPER_ADMIN_PASSWORD',
      'the demo super admin is refused in production; set both SUPER_ADMIN_ variables',
    ])
  }
  if (!values.MAIL_URL) refused.push(['MAIL_URL', 'is required in production'])
  if (values.PAYMENT_CONTROL_TOKEN) refused.push(['PAYMENT_CONTROL_TOKEN', 'is refused in production'])
  if (values.PASSWORD_COST < 15)
    refused.push(['PASSWORD_COST', 'below 15 protects no password and is refused in production'])
  if (given.CLOCK_OFFSET_SECONDS) refused.push(['CLOCK_OFFSET_SECONDS', 'is refused in production'])
  const secrets = values.JWT_SECRET?.split(',') ?? []
  if (secrets.length === 0 || secrets.some(secret => new TextEncoder().encode(secret.trim()).length < 32)) {
    refused.push(['JWT_SECRET', 'is required in production, each secret at least 32 bytes'])
  }
  return refused
}

function complaint(problems: Problem[]): EnvironmentError {
  return new EnvironmentError(
    problems.map(([name, problem]) => `${name}: ${problem}. Example: ${exampleOf(name)}`).join('\n'),
  )
}

const exampleOf = (name: string) => ({ ...examples, ...gatewayExamples })[name]
