import * as z from 'zod'

/** The settings with which one process of the service starts. */
export type Settings = {
  host: string
  port: number
  databaseUrl: string
  databaseAuthToken: string | undefined
  paymentUrl: string
  publicUrl: string
  webhookUrl: string
  webhookSecret: string
  controlToken: string | undefined
  clockOffsetSeconds: number
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** True if the service stops when standard input closes, because that means that its supervisor has ended. */
  stopWithParent: boolean
}

/** Thrown for invalid settings. The message has one line per variable, with the reason and an example. */
export class SettingsError extends Error {}

const examples = {
  HOST: '127.0.0.1',
  PORT: '8080',
  PAYMENT_PORT: '8081',
  PUBLIC_URL: 'http://localhost:8080',
  PAYMENT_URL: 'http://localhost:8081',
  PAYMENT_DATABASE_URL: 'file:.data/payments.db',
  PAYMENT_DATABASE_AUTH_TOKEN: 'the token your libSQL server gave you',
  PAYMENT_WEBHOOK_URL: 'http://127.0.0.1:8080/api/payments/webhooks/sandbox',
  PAYMENT_WEBHOOK_SECRET: '32 random characters, the same as the portal has',
  PAYMENT_CONTROL_TOKEN: '32 random characters, or leave it out',
  CLOCK_OFFSET_SECONDS: '3600',
  LOG_LEVEL: 'info',
  NODE_ENV: 'development',
  STOP_WITH_PARENT: '1',
}

const port = z.coerce
  .number('is not a number')
  .int('is not a whole number')
  .min(1, 'is not between 1 and 65535')
  .max(65535, 'is not between 1 and 65535')

const webAddress = z
  .string()
  .refine(url => /^https?:\/\//.test(url) && URL.canParse(url), 'is not an http(s) address')
  .transform(url => url.replace(/\/+$/, ''))

const environment = z
  .object({
    HOST: z
      .string()
      .regex(/^[\w.:-]+$/, 'is not an address to listen on')
      .default(examples.HOST),
    PORT: port.default(8080),
    PAYMENT_PORT: port.default(8081),
    PUBLIC_URL: webAddress.optional(),
    PAYMENT_URL: webAddress.optional(),
    PAYMENT_DATABASE_URL: z
      .string()
      .regex(/^(file:.|(https?|wss?|libsql):\/\/.)/, 'is not a libSQL address')
      .default(examples.PAYMENT_DATABASE_URL),
    PAYMENT_DATABASE_AUTH_TOKEN: z.string().optional(),
    PAYMENT_WEBHOOK_URL: webAddress.optional(),
    PAYMENT_WEBHOOK_SECRET: z.string('is missing').min(1, 'is missing'),
    PAYMENT_CONTROL_TOKEN: z.string().optional(),
    CLOCK_OFFSET_SECONDS: z.coerce
      .number('is not a number')
      .int('is not a whole number of seconds')
      .default(0),
    LOG_LEVEL: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'], {
        error: 'is not debug, info, warn, error or silent',
      })
      .default('info'),
    STOP_WITH_PARENT: z.string().optional(),
    NODE_ENV: z
      .string()
      .refine(
        name => name !== 'production',
        'is production, and this is a test gateway: choose a real PAYMENT_PROVIDER',
      )
      .optional(),
  })
  .transform((env): Settings => {
    // If `localhost` does not resolve to the listening address, that address itself is used, as in the portal.
    const urlHost = env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST
    const isLocal = ['127.0.0.1', '0.0.0.0', '::'].includes(env.HOST) || !URL.canParse(`http://${urlHost}`)
    const browserHost = isLocal ? 'localhost' : urlHost
    const portalHost = isLocal ? '127.0.0.1' : urlHost
    // If the service listens on all addresses, browsers reach it at the portal's host, unless the portal uses HTTPS: then that
    // host is a proxy, which forwards only to the portal.
    const isWildcard = ['0.0.0.0', '::'].includes(env.HOST)
    const paymentHost =
      isWildcard && env.PUBLIC_URL?.startsWith('http://') ? new URL(env.PUBLIC_URL).hostname : browserHost
    return {
      host: env.HOST,
      port: env.PAYMENT_PORT,
      databaseUrl: env.PAYMENT_DATABASE_URL,
      databaseAuthToken: env.PAYMENT_DATABASE_AUTH_TOKEN,
      paymentUrl: env.PAYMENT_URL ?? `http://${paymentHost}:${env.PAYMENT_PORT}`,
      publicUrl: env.PUBLIC_URL ?? `http://${browserHost}:${env.PORT}`,
      webhookUrl: env.PAYMENT_WEBHOOK_URL ?? `http://${portalHost}:${env.PORT}/api/payments/webhooks/sandbox`,
      webhookSecret: env.PAYMENT_WEBHOOK_SECRET,
      controlToken: env.PAYMENT_CONTROL_TOKEN,
      clockOffsetSeconds: env.CLOCK_OFFSET_SECONDS,
      logLevel: env.LOG_LEVEL,
      stopWithParent: env.STOP_WITH_PARENT !== undefined,
    }
  })

/** Parses the environment variables; an empty value counts as missing. @throws SettingsError */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const names = Object.keys(examples)
  const variables = Object.fromEntries(names.map(name => [name, env[name] || undefined]))
  const parsed = environment.safeParse(variables)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(issue => {
    const name = String(issue.path[0])
    const example = Object.entries(examples).find(([key]) => key === name)?.[1] ?? ''
    return `${name} ${issue.message}. Example: ${name}=${example}`
  })
  throw new SettingsError(lines.join('\n'))
}
