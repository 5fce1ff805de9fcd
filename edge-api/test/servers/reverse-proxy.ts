import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect as connectWithTls } from 'node:tls'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { root } from '../../../scripts/lib/setup.mjs'
import { eventually } from '../portal.ts'
import { end } from './sqld-server.ts'

/* Runs nginx and Caddy with the configuration of deploy/, on other ports. */

export const proxies = ['nginx', 'caddy'] as const
export type ProxyName = (typeof proxies)[number]

export interface ReverseProxy {
  /** The port for HTTPS. */
  port: number
  httpPort: number
  stop(): Promise<void>
}

/** Returns whether a program is installed; if not, reports which check was skipped. */
export function isInstalled(program: string, debianPackage = program): boolean {
  const isFound = spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0
  if (!isFound)
    console.warn(
      `SKIPPED: ${program} is not installed, so its configuration was not checked: apt-get install ${debianPackage}`,
    )
  return isFound
}

/** Replaces texts. @throws if one of them does not occur */
function applyReplacements(
  text: string,
  replacements: readonly (readonly [from: string, to: string])[],
): string {
  return replacements.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`the configuration has no "${from}"`)
    return before.replaceAll(from, to)
  }, text)
}

interface Ports {
  port: number
  httpPort: number
  /** The ports of the portal's processes. */
  portals: readonly number[]
}

async function configureNginx(folder: string, { port, httpPort, portals }: Ports): Promise<string[]> {
  const text = readFileSync(path.join(root, 'deploy/nginx/portal.conf'), 'utf8')
  const certificate = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  const files = ['-keyout', `${folder}/privkey.pem`, '-out', `${folder}/fullchain.pem`]
  execFileSync('openssl', ['req', ...certificate, '-subj', '/CN=localhost', ...files], { stdio: 'ignore' })
  const servers = portals.map(portal => `server 127.0.0.1:${portal};`).join('\n  ')
  const siteConfig = applyReplacements(text, [
    ['server 127.0.0.1:8080;', servers],
    ['listen 80;', `listen 127.0.0.1:${httpPort};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['/etc/letsencrypt/live/verify.example.org', folder],
    ['/var/cache/nginx-portal', `${folder}/cache`],
  ])
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  // If nginx is started by root, its workers would otherwise run as another user, who cannot read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const config = `${user}
daemon off;
pid ${folder}/nginx.pid;
error_log stderr warn;
events {}
http {
access_log off;
${temporaryPaths}
${siteConfig}
}`
  await writeFile(path.join(folder, 'nginx.conf'), config)
  return ['-p', folder, '-c', path.join(folder, 'nginx.conf'), '-e', 'stderr']
}

async function configureCaddy(folder: string, { port, httpPort }: Ports): Promise<string[]> {
  const text = readFileSync(path.join(root, 'deploy/caddy/Caddyfile'), 'utf8')
  // Caddy uses a certificate of its own CA, which must not be installed on this machine.
  const options = `{\n\thttp_port ${httpPort}\n\thttps_port ${port}\n\tskip_install_trust\n\tadmin off\n\tservers {`
  const file = path.join(folder, 'Caddyfile')
  await writeFile(file, applyReplacements(text, [['{\n\tservers {', options]]))
  return ['--config', file, '--adapter', 'caddyfile']
}

async function configure(name: ProxyName, ports: Ports, folder: string) {
  const variables = {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    PORTAL_NAME: 'localhost',
    PORTAL_PROCESSES: ports.portals.map(port => `127.0.0.1:${port}`).join(' '),
  }
  const args = await (name === 'nginx' ? configureNginx : configureCaddy)(folder, ports)
  return { args, env: { ...process.env, ...variables } }
}

/** Has the program check its configuration. @returns its exit code and output */
export async function checkProxy(name: ProxyName): Promise<{ code: number | null; output: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-proxy-'))
  try {
    const ports = { port: await freePort(), httpPort: await freePort(), portals: [8080, 8090] }
    const { args, env } = await configure(name, ports, folder)
    const commandArguments = name === 'nginx' ? ['-t', ...args] : ['validate', ...args]
    const { status, stdout, stderr } = spawnSync(name, commandArguments, { env, encoding: 'utf8' })
    return { code: status, output: stdout + stderr }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts a proxy in front of portal processes on these ports. */
export async function startProxy(name: ProxyName, portals: readonly number[]): Promise<ReverseProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-proxy-'))
  const ports = { port: await freePort(), httpPort: await freePort(), portals }
  const { args, env } = await configure(name, ports, folder)
  const commandArguments = name === 'nginx' ? args : ['run', ...args]
  const child = spawn(name, commandArguments, { env, stdio: 'ignore' })
  const stop = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  const isConnected = (socket: Socket, event: 'connect' | 'secureConnect') =>
    new Promise<true | undefined>(resolve => {
      socket.on(event, () => resolve(true)).on('error', () => resolve(undefined))
      socket.on(event, () => socket.destroy())
    })
  // Caddy listens before it has its certificate, and refuses TLS until then.
  const tls = { port: ports.port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false }
  const checks = [
    () => isConnected(connectWithTls(tls), 'secureConnect'),
    () => isConnected(connect(ports.httpPort, '127.0.0.1'), 'connect'),
  ]
  try {
    for (const check of checks)
      await eventually(async () => {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
        return await check()
      }, `${name} to accept connections`)
  } catch (error) {
    await stop()
    throw error
  }
  return { port: ports.port, httpPort: ports.httpPort, stop }
}
