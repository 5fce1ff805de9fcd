import type { Call, Description } from './description.ts'
import { type Difference, findDifferences, type Schema } from './schema.ts'

/** A breaking change: something that a client needs but a server lacks. */
export interface BreakingChange {
  /** The method and path of the call, or `error codes` if an error code was removed. */
  readonly call: string
  /** A description in one line. To accept an intended breaking change, this line is copied to `accepted.json`. */
  readonly line: string
}

/** An intended breaking change, from `packages/contract/released/accepted.json`. */
export interface AcceptedBreak {
  readonly break: string
  readonly why: string
}

const ANY_OBJECT: Schema = { type: 'object' }

/**
 * Returns the breaking change for a removed call. It names the new location if the call was moved, i.e. its name is elsewhere,
 * or its path has another method.
 */
function toRemovedBreak(key: string, call: Call, server: Description): BreakingChange {
  const movedTo = Object.values(server.calls).find(
    item => item.name === call.name || item.path.replace(/\{\w+\}/g, '{}') === key.split(' ')[1],
  )
  const where = movedTo ? `it is now ${movedTo.method} ${movedTo.path}` : 'it was removed'
  return { call: key, line: `${key}: ${where}` }
}

function findBreakingChangesOfCall(key: string, client: Call, server: Call): BreakingChange[] {
  const toBreak = (line: string): BreakingChange => ({ call: key, line: `${key}: ${line}` })
  const toBreaks = (part: string, differences: readonly Difference[]) =>
    differences.map(({ location, description }) =>
      toBreak(`${part}${/^$|^\[/.test(location) ? location : `.${location}`} ${description}`),
    )
  const breakingChanges: BreakingChange[] = []
  if (client.access !== server.access)
    breakingChanges.push(toBreak(`it was for ${client.access}, and is for ${server.access}`))
  for (const [index, param] of client.params.entries())
    breakingChanges.push(
      ...toBreaks(`parameter ${index + 1}`, findDifferences(param, server.params[index] ?? {}, 'sent')),
    )
  for (const part of ['query', 'body', 'form'] as const) {
    const [sent, accepted] = [client[part], server[part]]
    // A missing part is treated as an empty object, so that newly required fields are reported.
    if (sent || accepted)
      breakingChanges.push(
        ...toBreaks(part, findDifferences(sent ?? ANY_OBJECT, accepted ?? ANY_OBJECT, 'sent')),
      )
  }
  if (client.reply)
    breakingChanges.push(
      ...(server.reply
        ? toBreaks('reply', findDifferences(server.reply, client.reply, 'received'))
        : [toBreak('the reply is no longer JSON')]),
    )
  for (const type of client.media)
    if (!server.media.includes(type)) breakingChanges.push(toBreak(`${type} is no longer returned`))
  return breakingChanges
}

/**
 * Returns the breaking changes: what a client needs but a server lacks. It is used in both directions: for released front ends
 * with the next API, and for the next front ends with the running API.
 */
export function findBreakingChanges(client: Description, server: Description): BreakingChange[] {
  const breaksOfCalls = Object.entries(client.calls).flatMap(([key, call]) => {
    const serverCall = server.calls[key]
    return serverCall ? findBreakingChangesOfCall(key, call, serverCall) : [toRemovedBreak(key, call, server)]
  })
  const lostCodes = client.codes.filter(code => !server.codes.includes(code))
  return [
    ...breaksOfCalls,
    ...lostCodes.map(code => ({ call: 'error codes', line: `error codes: ${code} was removed` })),
  ]
}

/** Returns the breaking changes that are not accepted, and the accepted lines that match none. */
export function reviewBreaks(breakingChanges: readonly BreakingChange[], accepted: readonly AcceptedBreak[]) {
  const lines = new Set(breakingChanges.map(({ line }) => line))
  const acceptedLines = new Set(accepted.map(item => item.break))
  return {
    refused: breakingChanges.filter(({ line }) => !acceptedLines.has(line)),
    stale: accepted.filter(item => !lines.has(item.break)),
  }
}

/** Returns the part of a description that a client uses, including the error codes. */
export function pickCalls(description: Description, keys: ReadonlySet<string>): Description {
  const used = Object.entries(description.calls).filter(([key]) => keys.has(key))
  return { codes: description.codes, calls: Object.fromEntries(used) }
}
