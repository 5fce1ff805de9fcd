import {
  findAddressProblem,
  type GatewaySettings,
  gatewayExamples,
  type Problem,
  readGateways,
} from './environment-gateways.ts'
import { type LetterKeySource, readLetterKeys } from './environment-letter-keys.ts'
import { examples, type Variables, variables } from './environment-variables.ts'

/*
 * All environment variables that the product reads, parsed once at startup. If one is invalid or missing, startup fails, and
 * the message gives its name, the reason and an example. The entry points pass in the raw values. `npm start` generates missing
 * secrets and stores them in `.data/`.
 */

/** Names of all variables that the product reads, so that a process can be denied access to all others. */
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
  /** Public base URL of the portal, without a trailing slash. */
  PUBLIC_URL: string
  /** Base URL of the sandbox gateway, without a trailing slash. */
  PAYMENT_URL: string
  /** The first secret signs tokens; all of them verify tokens. */
  JWT_SECRETS: readonly [string, ...string[]]
  PAYMENT_WEBHOOK_SECRET: string
  /** The first key signs letters; all of them verify letters. */
  letterKeys: readonly LetterKeySource[]
  /** Settings of the real gateways that are configured, by provider. */
  gateways: GatewaySettings
  /** Every origin to which the form that starts a payment may be posted or forwarded. */
  paymentOrigins: readonly string[]
}

/** Thrown when startup must fail; `message` has one line per variable. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError'
}

/**
 * Parses the environment variables.
 * @param raw values by variable name, from the operating system or the worker's bindings
 * @param options `hasDisk`: false on runtimes without persistent files, such as workers and Deno Deploy
 * @throws EnvironmentError naming every invalid variable, with the reason and an example
 */
export function readEnvironment(
  raw: Record<string, string | undefined>,
  { hasDisk = true }: { hasDisk?: boolean } = {},
): Environment {
  // Shells and compose files express "not set" as an empty value.
  const defined = Object.fromEntries(
    Object.entries(raw).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = variables.safeParse(defined)
  const allowLoopback = defined.NODE_ENV === 'test'
  const { gateways, problems } = readGateways(defined, defined.PAYMENT_PROVIDER ?? 'sandbox', allowLoopback)
  if (!parsed.success) {
    const invalidValues = parsed.error.issues.map(
      ({ path: [name] }): Problem => [String(name), rejectionMessage(String(name), defined[String(name)])],
    )
    throw toEnvironmentError([...invalidValues, ...problems])
  }
  const values = parsed.data
  const allProblems = values.NODE_ENV === 'production' ? findProductionProblems(values, defined) : []
  const usesSandbox = values.PAYMENT_PROVIDER === 'sandbox'
  if (!values.JWT_SECRET && values.NODE_ENV !== 'production') allProblems.push(['JWT_SECRET', 'is missing'])
  if (usesSandbox && !values.PAYMENT_WEBHOOK_SECRET)
    allProblems.push(['PAYMENT_WEBHOOK_SECRET', 'is missing'])
  if (values.NODE_ENV === 'production')
    allProblems.push(...findGatewayProblems(values.PAYMENT_PROVIDER, gateways))
  const letterKeys = parseLetterKeys(values.LETTER_SIGNING_KEY)
  if (letterKeys.length === 0)
    allProblems.push([
      'LETTER_SIGNING_KEY',
      values.LETTER_SIGNING_KEY ? 'is not a private P-256 key' : 'is missing',
    ])
  allProblems.push(
    ...findDatabaseProblems(values, hasDisk),
    ...problems,
    ...findSandboxProblems(values.PAYMENT_URL),
  )
  if (allProblems.length > 0) throw toEnvironmentError(allProblems)

  const secrets = (values.JWT_SECRET ?? '').split(',').map(secret => secret.trim())
  const [signingSecret = '', ...otherSecrets] = secrets.filter(Boolean)
  const sandboxUrl = (
    values.PAYMENT_URL ?? `http://${sandboxHost(values.HOST, values.PUBLIC_URL)}:${values.PAYMENT_PORT}`
  ).replace(/\/+$/, '')
  const paymentPages = [gateways.bpms?.url, gateways.interswitch?.payUrl, gateways.paystack?.checkoutUrl]
  if (values.NODE_ENV !== 'production') paymentPages.unshift(sandboxUrl)
  const { PAYMENT_PAGE_ORIGINS: extraPageOrigins = [], LETTER_SIGNING_KEY: _, ...otherValues } = values
  return {
    ...otherValues,
    gateways,
    letterKeys,
    paymentOrigins: [
      ...new Set([
        ...paymentPages.flatMap(page => (page ? [new URL(page).origin] : [])),
        ...extraPageOrigins,
      ]),
    ],
    PUBLIC_URL: (values.PUBLIC_URL ?? `http://${browserHost(values.HOST)}:${values.PORT}`).replace(
      /\/+$/,
      '',
    ),
    PAYMENT_URL: sandboxUrl,
    JWT_SECRETS: [signingSecret, ...otherSecrets],
    PAYMENT_WEBHOOK_SECRET: values.PAYMENT_WEBHOOK_SECRET ?? '',
  }
}

/**
 * Returns the host name with which browsers on this machine reach a server that listens on `host`: `localhost` if it resolves
 * to that address, and otherwise the address itself, because on many machines `localhost` is only 127.0.0.1.
 */
function browserHost(host: string): string {
  const urlHost = host.includes(':') ? `[${host}]` : host
  const isLocal = ['127.0.0.1', '0.0.0.0', '::'].includes(host)
  // An invalid listen address is reported later in the startup, when the server starts to listen.
  return isLocal || !URL.canParse(`http://${urlHost}`) ? 'localhost' : urlHost
}

/**
 * Returns the host name with which browsers reach the sandbox gateway: the portal's, if the gateway listens on all addresses.
 * Behind a proxy with HTTPS, the gateway can be reached only from this machine.
 */
function sandboxHost(host: string, publicUrl: string | undefined): string {
  const isWildcard = ['0.0.0.0', '::'].includes(host)
  return isWildcard && publicUrl?.startsWith('http://') ? new URL(publicUrl).hostname : browserHost(host)
}

/**
 * Returns the configured keys, or an empty list if the variable is missing or invalid. The parser's error is dropped, because
 * it could contain the value.
 */
function parseLetterKeys(text: string | undefined): LetterKeySource[] {
  try {
    return text ? readLetterKeys(text) : []
  } catch {
    return []
  }
}

/**
 * Returns the message about an invalid value. Messages end up in logs, so they do not repeat a secret, or a URL that contains
 * one.
 */
function rejectionMessage(name: string, value = ''): string {
  const isSecret = /SECRET|PASSWORD|TOKEN|_KEY$/.test(name) || /@|token/i.test(value)
  return isSecret ? 'is not accepted' : `"${value}" is not accepted`
}

function findDatabaseProblems(
  { DATABASE_URL, DATABASE_REPLICA_URL }: Variables,
  hasDisk: boolean,
): Problem[] {
  if (!DATABASE_URL.startsWith('file:')) return []
  if (!hasDisk) return [['DATABASE_URL', 'must be a database server: there is no disk here for a file']]
  return DATABASE_REPLICA_URL
    ? [['DATABASE_REPLICA_URL', 'is set, but DATABASE_URL is a file, which has no replica']]
    : []
}

function findSandboxProblems(address: string | undefined): Problem[] {
  const problem = findAddressProblem(address, true)
  return problem ? [['PAYMENT_URL', problem]] : []
}

/**
 * Returns the problem with the chosen gateway in production, if there is one: its test mode, which, like the sandbox, takes no
 * real money.
 */
function findGatewayProblems(provider: Variables['PAYMENT_PROVIDER'], gateways: GatewaySettings): Problem[] {
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

function findProductionProblems(values: Variables, defined: Record<string, string | undefined>): Problem[] {
  const problems: Problem[] = []
  if (values.PAYMENT_PROVIDER === 'sandbox') {
    problems.push([
      'PAYMENT_PROVIDER',
      'the sandbox gateway takes no real money and is refused in production',
    ])
  }
  if (values.SEED === 'demo') problems.push(['SEED', 'demo data is refused in production; set SEED=none'])
  if (
    !defined.SUPER_ADMIN_EMAIL ||
    !defined.SUPER_ADMIN_PASSWORD ||
    values.SUPER_ADMIN_PASSWORD === 'Demo1234'
  ) {
    problems.push([
      'SUPER_ADMIN_PASSWORD',
      'the demo super admin is refused in production; set both SUPER_ADMIN_ variables',
    ])
  }
  if (!values.MAIL_URL) problems.push(['MAIL_URL', 'is required in production'])
  if (values.PAYMENT_CONTROL_TOKEN) problems.push(['PAYMENT_CONTROL_TOKEN', 'is refused in production'])
  if (values.PASSWORD_COST < 15)
    problems.push(['PASSWORD_COST', 'below 15 is too weak and is refused in production'])
  if (defined.CLOCK_OFFSET_SECONDS) problems.push(['CLOCK_OFFSET_SECONDS', 'is refused in production'])
  if (values.RELEASE_DEVELOPMENT_KEY) problems.push(['RELEASE_DEVELOPMENT_KEY', 'is refused in production'])
  if (values.WEBHOOK_ALLOW_PRIVATE) problems.push(['WEBHOOK_ALLOW_PRIVATE', 'is refused in production'])
  const secrets = values.JWT_SECRET?.split(',') ?? []
  if (secrets.length === 0 || secrets.some(secret => new TextEncoder().encode(secret.trim()).length < 32)) {
    problems.push(['JWT_SECRET', 'is required in production, each secret at least 32 bytes'])
  }
  for (const name of ['METRICS_TOKEN', 'PAYMENT_WEBHOOK_SECRET'] as const)
    if (values[name] && values[name].length < 16)
      problems.push([name, 'has fewer than 16 characters, which is refused in production'])
  return problems
}

function toEnvironmentError(problems: Problem[]): EnvironmentError {
  return new EnvironmentError(
    problems.map(([name, problem]) => `${name}: ${problem}. Example: ${exampleOf(name)}`).join('\n'),
  )
}

const exampleOf = (name: string) => ({ ...examples, ...gatewayExamples })[name]
