import { createHash } from 'node:crypto'
import { damageOf, usablePart } from '@portal/contract/remotes-config'
import { causeOf } from '../cause.ts'
import type { Database } from '../db/database.ts'
import type { Assets, Ports } from '../ports.ts'
import { storedPointer, storePointer } from './store.ts'

const ADDRESS = '/config/remotes.json'

interface Judged {
  /** The file as it was read. */
  readonly file: string | undefined
  /** The version served instead; undefined if there is none. */
  readonly text: string | undefined
  readonly damage: string | undefined
  readonly etag: string
}

interface Needed extends Pick<Ports, 'clock' | 'log'> {
  database: Pick<Database, 'read' | 'write'>
  /** Work that nothing waits for. */
  background: Ports['background']
}

/**
 * Serves `remotes.json` as long as it is valid, and otherwise the last valid one, which the database keeps across restarts
 * (decision 074). If there is none, the usable entries are served.
 */
export function withGoodPointer(assets: Assets, { clock, log, database, background }: Needed): Assets {
  let judged: Judged | undefined
  let lastGood: string | undefined
  /** The damage logged last, so that each is logged once. */
  let reported: string | undefined

  async function keep(content: string): Promise<void> {
    try {
      if ((await storedPointer(database.read)) === content) return
      await database.write(tx => storePointer(tx, { content, at: clock.now() }))
    } catch (cause) {
      // Retried when the file is requested next.
      judged = undefined
      log({ level: 'error', event: 'pointer_not_kept', cause: causeOf(cause) })
    }
  }

  function report(damage: string | undefined, served: string): void {
    if (damage === reported) return
    reported = damage
    if (damage === undefined) log({ level: 'info', event: 'pointer_repaired' })
    else log({ level: 'error', event: 'pointer_damaged', reason: damage, served })
  }

  async function judge(request: Request): Promise<Judged> {
    const answer = await assets.get(ADDRESS, new Request(new URL(ADDRESS, request.url)))
    const file = answer?.status === 200 ? await answer.text() : undefined
    if (judged && judged.file === file) return judged
    const damage = damageOf(file)
    if (file !== undefined && damage === undefined) {
      lastGood = file
      judged = judgedAs(file, file, damage)
      background(keep(file))
      report(damage, '')
      return judged
    }
    let known = true
    lastGood ??= await storedPointer(database.read).catch(() => {
      known = false
      return undefined
    })
    // A portal that never had front ends does not miss them.
    if (file === undefined && lastGood === undefined) return judgedAs(file, undefined, undefined)
    const usable = lastGood === undefined ? usablePart(file) : undefined
    const now = judgedAs(file, lastGood ?? (usable && JSON.stringify(usable)), damage)
    // Without its database, the portal retries.
    if (known) judged = now
    report(damage, servedOf(lastGood, usable))
    return now
  }

  return {
    async get(path, request) {
      if (path !== ADDRESS) return await assets.get(path, request)
      const { text, file, etag } = await judge(request)
      if (text === undefined) return file === undefined ? undefined : unusable()
      const headers = new Headers({
        'Content-Type': 'application/json',
        'Cache-Control': 'no-cache',
        ETag: etag,
      })
      return request.headers.get('if-none-match') === etag
        ? new Response(null, { status: 304, headers })
        : new Response(text, { headers })
    },
    ...(assets.encode && { encode: assets.encode }),
    damage: async () => (await judge(new Request('http://localhost'))).damage,
  }
}

function judgedAs(file: string | undefined, text: string | undefined, damage: string | undefined): Judged {
  const hash = createHash('sha256').update(text ?? '')
  return { file, text, damage, etag: `W/"${hash.digest('base64url').slice(0, 20)}"` }
}

function servedOf(good: string | undefined, usable: object | undefined): string {
  if (good !== undefined) return 'the last good one'
  return usable ? 'the entries that can be used' : 'nothing'
}

const unusable = () =>
  new Response(null, { status: 503, headers: { 'Cache-Control': 'no-store', 'Retry-After': '5' } })
