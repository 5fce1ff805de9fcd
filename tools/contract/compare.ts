import type { Call, Description } from './description.ts'
import { type Difference, differences, type Schema } from './schema.ts'

/** Something that a client relies on and a server does not give. */
export interface Break {
  /** Method and path of the call; `error codes` for a code that is gone. */
  readonly call: string
  /** One line that says all of it, by which an intended break is accepted. */
  readonly line: string
}

/** An intended break, from `packages/contract/released/accepted.json`. */
export interface Accepted {
  readonly break: string
  readonly why: string
}

const NOTHING: Schema = { type: 'object' }

/** Where the call went: the same name elsewhere, or the same path under another method. */
function gone(key: string, call: Call, server: Description): Break {
  const now = Object.values(server.calls).find(
    each => each.name === call.name || each.path.replace(/\{\w+\}/g, '{}') === key.split(' ')[1],
  )
  const where = now ? `it is now ${now.method} ${now.path}` : 'it was removed'
  return { call: key, line: `${key}: ${where}` }
}

function ofCall(key: string, client: Call, server: Call): Break[] {
  const broken = (line: string): Break => ({ call: key, line: `${key}: ${line}` })
  const within = (part: string, found: readonly Difference[]) =>
    found.map(({ at, what }) => broken(`${part}${/^$|^\[/.test(at) ? at : `.${at}`} ${what}`))
  const breaks: Break[] = []
  if (client.access !== server.access)
    breaks.push(broken(`it was for ${client.access}, and is for ${server.access}`))
  for (const [place, param] of client.params.entries())
    breaks.push(...within(`parameter ${place + 1}`, differences(param, server.params[place] ?? {}, 'sent')))
  for (const part of ['query', 'body', 'form'] as const) {
    const [sent, taken] = [client[part], server[part]]
    // Nothing is sent where nothing was asked for; what is asked for now is then missing.
    if (sent || taken) breaks.push(...within(part, differences(sent ?? NOTHING, taken ?? NOTHING, 'sent')))
  }
  if (client.reply)
    breaks.push(
      ...(server.reply
        ? within('reply', differences(server.reply, client.reply, 'received'))
        : [broken('the reply is no JSON any more')]),
    )
  for (const type of client.media)
    if (!server.media.includes(type)) breaks.push(broken(`${type} is no longer answered`))
  return breaks
}

/**
 * What a client relies on and a server does not give. Both ways round it is the same question: front ends that are
 * released against the next API, and the next front ends against the API that runs.
 */
export function breaksOf(client: Description, server: Description): Break[] {
  const ofCalls = Object.entries(client.calls).flatMap(([key, call]) => {
    const own = server.calls[key]
    return own ? ofCall(key, call, own) : [gone(key, call, server)]
  })
  const lost = client.codes.filter(code => !server.codes.includes(code))
  return [
    ...ofCalls,
    ...lost.map(code => ({ call: 'error codes', line: `error codes: ${code} was removed` })),
  ]
}

/** Breaks that nobody accepted, and acceptances of what is no break (any more). */
export function judge(breaks: readonly Break[], accepted: readonly Accepted[]) {
  const lines = new Set(breaks.map(({ line }) => line))
  const meant = new Set(accepted.map(each => each.break))
  return {
    refused: breaks.filter(({ line }) => !meant.has(line)),
    stale: accepted.filter(each => !lines.has(each.break)),
  }
}

/** The calls of a description that a client makes, the error codes with them. */
export function only(description: Description, keys: ReadonlySet<string>): Description {
  const made = Object.entries(description.calls).filter(([key]) => keys.has(key))
  return { codes: description.codes, calls: Object.fromEntries(made) }
}
