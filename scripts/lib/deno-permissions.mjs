// The minimal Deno permissions of the portal's processes: they can connect to the addresses in their variables, or to the
// internet for webhooks, read these variables and the built front ends, and write captured mail. With a file database they can
// also use its folder and the native driver, which no sandbox restricts.
import path from 'node:path'
import { root } from './setup.mjs'

/** The variables that the portal and the payment service read. */
const VARIABLES = [
  'NODE_ENV',
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'DATABASE_*',
  'BACKUP_*',
  'MAIL_*',
  'JWT_SECRET',
  'PAYMENT_*',
  'LETTER_*',
  'SEED',
  'SUPER_ADMIN_*',
  'PASSWORD_COST',
  'TRUST_PROXY',
  'WEBHOOK_ALLOW_PRIVATE',
  'UPLOAD_MAX_BYTES',
  'UPLOAD_MAX_ROWS',
  'RATE_LIMIT_SCALE',
  'CLOCK_OFFSET_SECONDS',
  'METRICS_TOKEN',
  'LOG_LEVEL',
  'OTEL_*',
  'RELEASES_FOLDER',
  'RELEASES_URL',
  'RELEASES_ACCESS_KEY_ID',
  'RELEASES_SECRET_ACCESS_KEY',
  'RELEASES_REGION',
  'RELEASE_DEVELOPMENT_KEY',
  'FRONT_END_OVERRIDES',
  'STOP_WITH_PARENT',
  'LISTEN_*',
]

/** The variables of the native driver: its loader reads the first, and the portal sets the second. */
const DRIVER_VARIABLES = ['LIBSQL_JS_DEV', 'TOKIO_WORKER_THREADS']

/** The system information that the mail client needs to identify itself to a server. */
const MAIL_SYSTEM_INFO = 'hostname'

/** The addresses of clouds' metadata services, which give credentials to any caller. */
const METADATA_NETWORK = '169.254.0.0/16'

const PORTS = {
  'http:': 80,
  'ws:': 80,
  'https:': 443,
  'wss:': 443,
  'libsql:': 443,
  'smtps:': 465,
  'smtp:': 587,
}

/** Returns the host and port of a URL for `--allow-net`, in a list that is empty for the URL of a file. */
function allowedHosts(address) {
  if (!address || !URL.canParse(address)) return []
  const { protocol, hostname, port } = new URL(address)
  const defaultPort = PORTS[protocol]
  return defaultPort === undefined ? [] : [`${hostname}:${port || defaultPort}`]
}

/**
 * Returns the arguments of `deno` that start `entry`.
 * @param entry path below the root of the workspace
 * @param environment variables of the process; it can connect to the addresses in them
 * @param process `databaseUrl`: its database; `serverAddresses`: `host:port` of the process and of our other servers
 *   that it calls; `writable`: writable folders; `egress`: it also sends webhooks, to addresses that it checks itself
 */
export function denoArguments(
  entry,
  environment,
  { databaseUrl, serverAddresses, writable, egress = false },
) {
  const addresses = Object.entries(environment)
    .filter(([name]) => /^(DATABASE|PAYMENT|MAIL|LETTER)_(\w+_)?URL$/.test(name))
    .flatMap(([, address]) => allowedHosts(address))
  const usesFile = databaseUrl.startsWith('file:')
  const releases = path.resolve(root, environment.RELEASES_FOLDER || 'releases')
  const readable = [...new Set([...(usesFile ? [root] : []), releases, ...writable])]
  const system = usesFile ? ['--allow-sys'] : environment.MAIL_URL ? [`--allow-sys=${MAIL_SYSTEM_INFO}`] : []
  return [
    'run',
    '--quiet',
    '--cached-only',
    '--no-prompt',
    '--no-lock',
    `--allow-env=${[...VARIABLES, ...(usesFile ? DRIVER_VARIABLES : [])].join(',')}`,
    ...(egress
      ? ['--allow-net', `--deny-net=${METADATA_NETWORK}`]
      : [`--allow-net=${[...new Set([...serverAddresses, ...addresses])].join(',')}`]),
    `--allow-read=${readable.join(',')}`,
    ...(writable.length > 0 ? [`--allow-write=${writable.join(',')}`] : []),
    ...(usesFile ? [`--allow-ffi=${path.join(root, 'node_modules')}`] : []),
    ...system,
    path.join(root, entry),
  ]
}
