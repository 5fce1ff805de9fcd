// The commands of `npm run releases` and `npm run release -w <micro-frontend>`, from their arguments.
import { execFileSync } from 'node:child_process'
import { hostname, userInfo } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { root } from '../lib/setup.mjs'
import { follow, promote, remove, repair, rollback } from './commands.mjs'
import { releasesFolder } from './folder.mjs'
import { DAYS, inventory, KEEP, past } from './inventory.mjs'
import { Refusal } from './refusal.mjs'
import { partOf, release } from './release.mjs'

const HELP = `npm run release -w mfe-admin                     build, check and ship to everyone
npm run release -w mfe-admin -- --canary 10      to 10% of the accounts (of the visitors for mfe-public)
npm run release -w mfe-admin -- --canary-accounts <id>,<id>
                                                 to these accounts; with --canary to both
  --from <folder>     ship a build that was made elsewhere
  --origin <origin>   it is served from there, not from the portal
  --portal <address>  the portal whose API it must fit (PUBLIC_URL, or http://localhost:$PORT)
  --dry-run           check all, publish nothing
npm run releases -- list [mfe-admin] [--json]    releases: which is live, for whom, since when, by whom
npm run releases -- promote mfe-admin            the canary for everyone
npm run releases -- rollback mfe-admin [release] end the canary; without one, or to a release: go back
npm run releases -- follow mfe-admin             npm start points at what the sources make again
npm run releases -- repair [--portal <address>]  a damaged remotes.json as the portal serves it
npm run releases -- clean [--days 30] [--keep 3] [--dry-run]
                                                 delete releases that nobody needs any more
  --by "Name <e-mail>" says who does it (RELEASED_BY, or the name and e-mail of git)
docs/shipping.md tells the whole story.`

/** @param {string[]} args */
function git(...args) {
  try {
    return execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return ''
  }
}

/** Who gives the command. Nobody proves it: who may write the folder of releases may write any name. */
function operator(given) {
  if (given || process.env.RELEASED_BY) return given || String(process.env.RELEASED_BY)
  const [name, email] = [git('config', 'user.name'), git('config', 'user.email')]
  if (name || email) return email ? `${name} <${email}>`.trim() : name
  return `${userInfo().username} on ${hostname()}`
}

/** @param {string | undefined} text @param {string} name @param {number} [most] */
function numberOf(text, name, most = Number.MAX_SAFE_INTEGER) {
  if (text === undefined) return undefined
  const number = Number(text)
  if (text === '' || !Number.isFinite(number) || number < 0 || number > most)
    throw new Refusal(
      `--${name} ${text}: give a number from 0${most <= 100 ? ` to ${most}` : ''}, for example --${name} 10.`,
    )
  return number
}

/** @param {string | undefined} text */
function accountsOf(text) {
  const ids = (text ?? '')
    .split(',')
    .map(id => id.trim())
    .filter(Boolean)
  const wrong = ids.find(id => !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
  if (wrong)
    throw new Refusal(
      `--canary-accounts ${wrong}: give ids of accounts (user_id in the export of the activity logs), never e-mails: remotes.json is public, and an e-mail could be guessed from what stands there.`,
    )
  return ids
}

/** @param {string | undefined} text */
function originOf(text) {
  if (text === undefined) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text)
    return text
  throw new Refusal(`--origin ${text}: give an origin alone, for example --origin https://admin.example.org`)
}

const day = time => new Date(time).toISOString().slice(0, 16).replace('T', ' ')

/** @param {import('./inventory.mjs').Known} known */
function line({ release: id, state, percent, accounts, previous, shipped, usedUntil }) {
  const what = {
    live: 'live',
    canary: `canary ${partOf(percent ?? 0, accounts ?? 0)}`,
    before: previous ? 'before that' : '',
  }[state]
  const when =
    state === 'before'
      ? `${shipped ? 'until' : 'built'} ${day(usedUntil)}`
      : `since ${day(shipped?.at ?? usedUntil)}`
  return `  ${id.padEnd(14)} ${what.padEnd(26)} ${when}${shipped ? `  by ${shipped.by}` : ''}`
}

/** @param {string} folder @param {string | undefined} app @param {boolean} asJson */
async function list(folder, app, asJson) {
  const known = (await inventory(folder)).filter(each => app === undefined || each.app === app)
  if (asJson) return [JSON.stringify(known, null, 2)]
  if (known.length === 0)
    throw new Refusal(app ? `There is no release of ${app}.` : 'There are no releases yet.')
  const apps = [...new Set(known.map(each => each.app))]
  return apps.flatMap(name => [name, ...known.filter(each => each.app === name).map(line)])
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      canary: { type: 'string' },
      'canary-accounts': { type: 'string' },
      from: { type: 'string' },
      origin: { type: 'string' },
      portal: { type: 'string' },
      by: { type: 'string' },
      days: { type: 'string' },
      keep: { type: 'string' },
      json: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  const [command = 'help', named, to] = positionals
  const folder = releasesFolder()
  const context = { folder, by: operator(values.by) }
  // `npm run release -w mfe-admin` runs in the micro-frontend's own folder.
  const app = named ?? path.basename(process.cwd())
  const needsApp = () => {
    if (/^mfe-[a-z0-9-]+$/.test(app)) return app
    throw new Refusal(`Which micro-frontend? For example: npm run releases -- ${command} mfe-admin`)
  }
  if (values.help) return [HELP]
  const address = values.portal || process.env.PUBLIC_URL || `http://localhost:${process.env.PORT || 8080}`
  const portal = address.replace(/\/+$/, '')
  switch (command) {
    case 'release': {
      const percent = numberOf(values.canary, 'canary', 100)
      const [from, origin] = [values.from, originOf(values.origin)]
      return await release(context, {
        app: needsApp(),
        accounts: accountsOf(values['canary-accounts']),
        portal,
        portalMustAnswer: values.portal !== undefined,
        dryRun: values['dry-run'] ?? false,
        ...(percent !== undefined && { percent }),
        ...(from !== undefined && { from }),
        ...(origin !== undefined && { origin }),
      })
    }
    case 'promote':
      return await promote(context, { app: needsApp() })
    case 'rollback':
      if (to !== undefined && !/^\w[\w.-]{0,63}$/.test(to))
        throw new Refusal(`${to} is no name of a release.`)
      return await rollback(context, { app: needsApp(), to })
    case 'follow':
      return await follow(context, { app: needsApp() })
    case 'repair':
      return await repair(context, { portal })
    case 'list':
      return await list(folder, named, values.json ?? false)
    case 'clean': {
      const [days = DAYS, keep = KEEP] = [numberOf(values.days, 'days'), numberOf(values.keep, 'keep')]
      const old = past(await inventory(folder), { now: Date.now(), days, keep })
      if (old.length === 0) return ['There is nothing to delete.']
      if (values['dry-run']) return old.map(each => `${each.app} ${each.release} would be deleted`)
      return await remove(context, { old })
    }
    case 'help':
      return [HELP]
    default:
      throw new Refusal(`There is no command ${command}.\n\n${HELP}`)
  }
}

main().then(
  lines => console.log(lines.join('\n')),
  error => {
    // What the system refuses, as in a folder of somebody else, says itself where and why.
    const expected =
      error instanceof Refusal || error?.code?.startsWith('ERR_PARSE_ARGS') || error?.syscall !== undefined
    console.error(expected ? error.message : error)
    process.exitCode = 1
  },
)
