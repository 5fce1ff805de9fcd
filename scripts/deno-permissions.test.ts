import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { variableNames } from '../edge-api/src/environment.ts'
import { gatewayExamples } from '../edge-api/src/environment-gateways.ts'
import { isSqldAvailable, startSqld, waitUntilResponding } from '../edge-api/test/servers/sqld-server.ts'
import { denoArguments } from './lib/deno-permissions.mjs'
import { buildPermissions, planOf } from './lib/portal.mjs'
import { freePort } from './lib/processes.mjs'
import { denoBinary, root } from './lib/setup.mjs'

/* Runs Deno with the same arguments as scripts/lib/portal.mjs, and tests its permissions. */

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-permissions-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the Deno arguments of a portal process for the given environment, running `entry`. */
function argumentsFor(environment: Record<string, string>, entry = 'edge-api/src/runtimes/server.ts') {
  return denoArguments(entry, environment, buildPermissions(planOf(environment), environment).portal)
}

/**
 * Evaluates each of these expressions in a process with the permissions for `environment`.
 * @returns `allowed` or `refused` by name
 */
async function tryInProcess(environment: Record<string, string>, attempts: Record<string, string>) {
  const probe = path.join(folder, 'probe.ts')
  const lines = Object.entries(attempts).map(
    ([name, work]) =>
      `try { await (async () => ${work})(); said[${JSON.stringify(name)}] = 'allowed' }
       catch (e) { said[${JSON.stringify(name)}] = e.name === 'NotCapable' ? 'refused' : 'allowed, then ' + e.name }`,
  )
  await writeFile(
    probe,
    `const said: Record<string, string> = {}\n${lines.join('\n')}\nconsole.log(JSON.stringify(said))`,
  )
  const args = argumentsFor(environment, path.relative(root, probe))
  const out = await new Promise<string>((resolve, reject) =>
    execFile(
      denoBinary(),
      args,
      { env: { ...environment, SECRET_OF_ANOTHER: 'x' } },
      (error, stdout, stderr) => (error ? reject(new Error(stderr)) : resolve(stdout)),
    ),
  )
  return JSON.parse(out) as Record<string, string>
}

const server = {
  PORT: '18080',
  PAYMENT_PORT: '18081',
  DATABASE_URL: 'libsql://portal.example.org',
  DATABASE_REPLICA_URL: 'http://10.1.2.3:8082',
  MAIL_URL: 'smtps://user:pass@mail.example.org:465',
  PAYMENT_PROVIDER: 'paystack',
  PAYMENT_PAYSTACK_URL: 'https://api.paystack.co',
  LETTER_TIMESTAMP_URL: 'http://timestamps.example.org/tsa',
}

const isPermitted = (name: string, path = '') =>
  `{ const { state } = await Deno.permissions.query(${JSON.stringify({ name, ...(path && { path }) })} as never)
     if (state !== 'granted') throw Object.assign(new Error(state), { name: 'NotCapable' }) }`
const net = (host: string) =>
  `{ const { state } = await Deno.permissions.query({ name: 'net', host: ${JSON.stringify(host)} })
     if (state !== 'granted') throw Object.assign(new Error(state), { name: 'NotCapable' }) }`

test('with a database server, a process can reach any network address except metadata services, and can read its variables and the front ends', {
  tags: ['RUNTIME-2'],
}, async () => {
  const responses = await tryInProcess(server, {
    'write a file': `Deno.writeTextFile(${JSON.stringify(path.join(folder, 'written'))}, 'x')`,
    'write into the workspace': `Deno.writeTextFile(${JSON.stringify(path.join(root, 'releases/x'))}, 'x')`,
    'read the passwords of the machine': `Deno.readTextFile('/etc/passwd')`,
    'read the sources': `Deno.readTextFile(${JSON.stringify(path.join(root, 'package.json'))})`,
    'load native code': `Deno.dlopen(${JSON.stringify(path.join(root, 'node_modules/x.so'))}, {})`,
    'run a program': `new Deno.Command('/bin/sh').output()`,
    'read a foreign variable': `Deno.env.get('SECRET_OF_ANOTHER')`,
    'list all variables': `Deno.env.toObject()`,
    'reach the metadata service of a cloud': `fetch('http://169.254.169.254/')`,
    'ask about the system': `Deno.osRelease()`,
    'read the front ends': isPermitted('read', path.join(root, 'releases/remotes.json')),
    'read its own variable': `Deno.env.get('DATABASE_URL')`,
    listen: net('127.0.0.1:18080'),
    'reach its database': net('portal.example.org:443'),
    'reach its replica': net('10.1.2.3:8082'),
    'reach its mail server': net('mail.example.org:465'),
    'reach its gateway': net('api.paystack.co:443'),
    'reach its timestamp service': net('timestamps.example.org:80'),
    'reach an endpoint of webhooks': net('hooks.example.net:8443'),
  })
  const allowed = Object.keys(responses).filter(name => responses[name] === 'allowed')
  expect(allowed).toEqual([
    'read the front ends',
    'read its own variable',
    'listen',
    'reach its database',
    'reach its replica',
    'reach its mail server',
    'reach its gateway',
    'reach its timestamp service',
    'reach an endpoint of webhooks',
  ])
  const refusals = Object.entries(responses).filter(([name]) => !allowed.includes(name))
  expect(Object.fromEntries(refusals)).toEqual(
    Object.fromEntries(refusals.map(([name]) => [name, 'refused'])),
  )
})

test('the sandbox gateway can only reach its own addresses', async () => {
  const { gateway } = buildPermissions(planOf(server), server)
  const args = denoArguments('edge-api/src/payment-service/main.ts', server, gateway)
  expect(args.filter(item => /^--(allow|deny)-net/.test(item))).toEqual([
    expect.stringMatching(/^--allow-net=.*127\.0\.0\.1:18080/),
  ])
})

test.skipIf(!isSqldAvailable)(
  'the sandbox gateway starts on a database server, without the native driver',
  async () => {
    const database = await startSqld(folder)
    const environment = {
      PORT: String(await freePort()),
      PAYMENT_PORT: String(await freePort()),
      PAYMENT_DATABASE_URL: database.url,
      PAYMENT_WEBHOOK_SECRET: 'x',
    }
    const { gateway } = buildPermissions(planOf(environment), environment)
    const child = spawn(
      denoBinary(),
      denoArguments('edge-api/src/payment-service/main.ts', environment, gateway),
      { env: environment, stdio: 'ignore' },
    )
    try {
      await waitUntilResponding(`http://127.0.0.1:${environment.PAYMENT_PORT}/health`, child)
    } finally {
      child.kill()
      await database.stop()
    }
  },
)

test('without a mail server, a portal process can write only to the mail folder', async () => {
  const mail = path.join(folder, 'mailbox')
  const responses = await tryInProcess(
    { ...server, MAIL_URL: '', MAIL_FOLDER: mail },
    {
      beside: `Deno.writeTextFile(${JSON.stringify(path.join(folder, 'beside'))}, 'x')`,
      mail: `Deno.mkdir(${JSON.stringify(mail)}, { recursive: true })`,
    },
  )
  expect(responses).toEqual({ beside: 'refused', mail: 'allowed' })
})

test('with a file database, the native driver and the database folder are also permitted', () => {
  const args = argumentsFor({ PORT: '18080', DATABASE_URL: `file:${folder}/portal.db` })
  expect(args).toContain(`--allow-ffi=${path.join(root, 'node_modules')}`)
  expect(args.find(item => item.startsWith('--allow-write='))).toContain(folder)
  expect(argumentsFor(server).filter(item => /^--allow-(write|ffi|run)/.test(item))).toEqual([])
})

test('a portal process can read every variable that the code uses', { tags: ['RUNTIME-2'] }, () => {
  const allowed = (argumentsFor(server).find(item => item.startsWith('--allow-env=')) ?? '')
    .slice(12)
    .split(',')
  const isCovered = (name: string) =>
    allowed.some(allowedName =>
      allowedName.endsWith('*') ? name.startsWith(allowedName.slice(0, -1)) : name === allowedName,
    )
  expect(Object.keys(gatewayExamples).length).toBeGreaterThan(10)
  expect([...variableNames, ...Object.keys(gatewayExamples)].filter(name => !isCovered(name))).toEqual([])
})
