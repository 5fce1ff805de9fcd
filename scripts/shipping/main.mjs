// The command line of `npm run releases` and `npm run release -w <micro-frontend>`.
import { execFileSync } from 'node:child_process'
import { hostname, userInfo } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { root } from '../lib/setup.mjs'
import { follow, promote, remove, repair, rollback, signAgain } from './commands.mjs'
import { releasesFolder } from './folder.mjs'
import { deletableReleases, listReleaseInventory, MIN_KEPT_RELEASES, RETENTION_DAYS } from './inventory.mjs'
import {
  endPreviews,
  formatDay,
  isRunning,
  MAX_DAYS,
  PREVIEW_DAYS,
  previewAddress,
  readPreviews,
  toPreviewName,
} from './previews.mjs'
import { Refusal } from './refusal.mjs'
import { audienceOf, release } from './release.mjs'
import { addKey, signingOf } from './signing.mjs'

const HELP = `npm run release -w mfe-admin                     build, check and release to everyone
npm run release -w mfe-admin -- --canary 10      to 10% of the accounts (of the visitors for mfe-public)
npm run release -w mfe-admin -- --canary-accounts <id>,<id>
                                                 to these accounts; with --canary to both
npm run release -w mfe-admin -- --preview <branch> [--days 14]
                                                 to anyone who has the link that it prints; nothing else changes
  --to <target>       s3://bucket/folder, https://host/folder, or a folder, for portals with RELEASES_URL; also with the commands below
  --from <folder>     release a build that was made elsewhere
  --origin <origin>   serve it from another origin
  --portal <address>  the portal whose API it must match (PUBLIC_URL, or http://localhost:$PORT)
  --dry-run           check without publishing
npm run releases -- list [mfe-admin] [--json]    releases: which is live, for whom, since when, by whom
npm run releases -- promote mfe-admin            release the canary to everyone
npm run releases -- rollback mfe-admin [release] end the canary; otherwise return to the previous or given release
npm run releases -- follow mfe-admin             let npm start manage it again
npm run releases -- new-key admin                give a team a key: signatures are required from then on
npm run releases -- sign mfe-admin               sign the live release again, with the team's newest key
npm run releases -- end-preview mfe-admin <branch>
                                                 end a preview before its time
npm run releases -- shell --to <target>          record the shell of the portal there, after each deployment of the portal
npm run releases -- repair [--portal <address>]  restore a damaged remotes.json from the portal
npm run releases -- clean [--days 30] [--keep 3] [--dry-run]
                                                 delete releases and previews that are no longer needed
  --by "Name <e-mail>" sets the author (default: RELEASED_BY, or the name and e-mail of git)
See docs/shipping.md.`

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

/** Returns the author of the command. The name is not verified: anyone who can write to the folder can use any name. */
function findAuthor(explicit) {
  const author = explicit || process.env.RELEASED_BY
  if (author) return author
  const [name, email] = [git('config', 'user.name'), git('config', 'user.email')]
  if (name || email) return email ? `${name} <${email}>`.trim() : name
  return `${userInfo().username} on ${hostname()}`
}

/** @param {string | undefined} text @param {string} name @param {number} [max] */
function parseNumber(text, name, max = Number.MAX_SAFE_INTEGER) {
  if (text === undefined) return undefined
  const number = Number(text)
  if (text === '' || !Number.isFinite(number) || number < 0 || number > max)
    throw new Refusal(
      `--${name} ${text}: give a number from 0${max <= 100 ? ` to ${max}` : ''}, for example --${name} 10.`,
    )
  return number
}

/** @param {string | undefined} text */
function parseAccountIds(text) {
  const ids = (text ?? '')
    .split(',')
    .map(id => id.trim())
    .filter(Boolean)
  const invalidId = ids.find(id => !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
  if (invalidId)
    throw new Refusal(
      `--canary-accounts ${invalidId}: use account IDs (user_id in the export of the activity logs), not e-mails: remotes.json is public, and e-mails could be guessed from it.`,
    )
  return ids
}

/** @param {string | undefined} text */
function parseOrigin(text) {
  if (text === undefined) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text)
    return text
  throw new Refusal(
    `--origin ${text}: use an origin without a path, for example --origin https://admin.example.org`,
  )
}

const formatMinute = time => new Date(time).toISOString().slice(0, 16).replace('T', ' ')

/** @param {import('./inventory.mjs').ListedRelease} known */
function formatRelease({ release: id, state, percent, accounts, previous, shipped, usedUntil }) {
  const use = {
    live: 'live',
    canary: `canary ${audienceOf(percent ?? 0, accounts ?? 0)}`,
    preview: 'preview',
    before: previous ? 'previous' : '',
  }[state]
  const when =
    state === 'before'
      ? `${shipped ? 'until' : 'built'} ${formatMinute(usedUntil)}`
      : `since ${formatMinute(shipped?.at ?? usedUntil)}`
  return `  ${id.padEnd(14)} ${use.padEnd(26)} ${when}${shipped ? `  by ${shipped.by}` : ''}`
}

/** @param {string} folder @param {{ app: string | undefined, asJson: boolean, portal: string }} options */
async function list(folder, { app, asJson, portal }) {
  const releases = (await listReleaseInventory(folder)).filter(item => app === undefined || item.app === app)
  if (asJson) return [JSON.stringify(releases, null, 2)]
  if (releases.length === 0)
    throw new Refusal(app ? `There is no release of ${app}.` : 'There are no releases yet.')
  const apps = [...new Set(releases.map(item => item.app))]
  const previewLine = preview =>
    `    preview ${preview.name}, until ${formatDay(preview.until)}: ${previewAddress(portal, { preview })}`
  return apps.flatMap(name => [
    name,
    ...releases
      .filter(item => item.app === name)
      .flatMap(item => [formatRelease(item), ...item.previews.map(previewLine)]),
  ])
}

const parseCommandLine = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      canary: { type: 'string' },
      preview: { type: 'string' },
      'canary-accounts': { type: 'string' },
      from: { type: 'string' },
      origin: { type: 'string' },
      portal: { type: 'string' },
      by: { type: 'string' },
      days: { type: 'string' },
      keep: { type: 'string' },
      to: { type: 'string' },
      json: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })

async function main() {
  const { values, positionals } = parseCommandLine()
  const [command = 'help', appOrTeam] = positionals
  // `npm run release -w mfe-admin` runs in the folder of the micro-frontend, which therefore need not be named.
  const app = appOrTeam ?? path.basename(process.cwd())
  const localFolder = releasesFolder()
  if (values.help || values.to === undefined) return await perform(localFolder, { values, positionals, app })
  const { createStorage } = await import('./storage.mjs')
  const { recordShell, runAtTarget } = await import('./target.mjs')
  const storage = createStorage(values.to)
  if (command === 'shell') return await recordShell(storage, localFolder)
  if (values.preview !== undefined)
    throw new Refusal('Use --preview without --to: previews need the releases folder.')
  if (!remoteCommands.has(command)) throw new Refusal(`${command} cannot be used with --to.`)
  return await runAtTarget(storage, { app, shell: localFolder }, folder =>
    perform(folder, { values, positionals, app }),
  )
}

/** Commands for which the releases of one micro-frontend suffice, so that they can work on a target (`--to`). */
const remoteCommands = new Set(['release', 'promote', 'rollback', 'sign', 'list'])

/**
 * Runs a command on a releases folder.
 * @param {string} folder
 * @param {{ values: ReturnType<typeof parseCommandLine>['values'], positionals: string[], app: string }} options
 * @returns {Promise<string[]>} messages, one per line
 */
async function perform(folder, { values, positionals, app }) {
  const [command = 'help', appOrTeam, to] = positionals
  const context = {
    folder,
    by: findAuthor(values.by),
    // The keys are only read by commands that need them: a damaged key file must not hide the list of releases.
    get signing() {
      return signingOf()
    },
  }
  const requiredApp = () => {
    if (/^mfe-[a-z0-9-]+$/.test(app)) return app
    throw new Refusal(`Which micro-frontend? For example: npm run releases -- ${command} mfe-admin`)
  }
  if (values.help) return [HELP]
  const address = values.portal || process.env.PUBLIC_URL || `http://localhost:${process.env.PORT || 8080}`
  const portal = address.replace(/\/+$/, '')
  switch (command) {
    case 'release': {
      const percent = parseNumber(values.canary, 'canary', 100)
      const [from, origin] = [values.from, parseOrigin(values.origin)]
      return await release(context, {
        app: requiredApp(),
        accounts: parseAccountIds(values['canary-accounts']),
        portal,
        portalMustAnswer: values.portal !== undefined,
        dryRun: values['dry-run'] ?? false,
        ...(percent !== undefined && { percent }),
        ...(values.preview !== undefined && {
          preview: {
            name: toPreviewName(values.preview),
            days: parseNumber(values.days, 'days', MAX_DAYS) ?? PREVIEW_DAYS,
          },
        }),
        ...(from !== undefined && { from }),
        ...(origin !== undefined && { origin }),
      })
    }
    case 'promote':
      return await promote(context, { app: requiredApp() })
    case 'rollback':
      if (to !== undefined && !/^\w[\w.-]{0,63}$/.test(to))
        throw new Refusal(`${to} is not a valid release name.`)
      return await rollback(context, { app: requiredApp(), to })
    case 'follow':
      return await follow(context, { app: requiredApp() })
    case 'sign':
      return await signAgain(context, { app: requiredApp() })
    case 'end-preview': {
      const name = toPreviewName(to ?? '')
      const ended = await endPreviews(
        context,
        entry => entry.name === requiredApp() && entry.preview.name === name,
      )
      if (ended.length === 0) throw new Refusal(`${requiredApp()} has no preview ${name}.`)
      return ended
    }
    case 'new-key':
      return addKey({ team: appOrTeam ?? '' })
    case 'repair':
      return await repair(context, { portal })
    case 'list':
      return await list(folder, { app: appOrTeam, asJson: values.json ?? false, portal })
    case 'clean': {
      const [days = RETENTION_DAYS, keep = MIN_KEPT_RELEASES] = [
        parseNumber(values.days, 'days'),
        parseNumber(values.keep, 'keep'),
      ]
      const old = deletableReleases(await listReleaseInventory(folder), { now: Date.now(), days, keep })
      const expired = (await readPreviews(folder)).filter(item => !isRunning(item))
      if (old.length === 0 && expired.length === 0) return ['Nothing to delete.']
      if (values['dry-run'])
        return [
          ...expired.map(
            ({ name, preview }) => `${name} preview ${preview.name} would be removed: it has ended`,
          ),
          ...old.map(item => `${item.app} ${item.release} would be deleted`),
        ]
      const ended = expired.length > 0 ? await endPreviews(context, entry => !isRunning(entry)) : []
      return [...ended, ...(old.length > 0 ? await remove(context, { old }) : [])]
    }
    case 'help':
      return [HELP]
    default:
      throw new Refusal(`Unknown command ${command}.\n\n${HELP}`)
  }
}

main().then(
  lines => console.log(lines.join('\n')),
  error => {
    // Errors of the system, such as missing permissions, already name the location and the reason.
    const isExpected =
      error instanceof Refusal || error?.code?.startsWith('ERR_PARSE_ARGS') || error?.syscall !== undefined
    console.error(isExpected ? error.message : error)
    process.exitCode = 1
  },
)
