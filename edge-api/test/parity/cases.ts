import type { Route } from '@portal/contract/route'
import type { Sent, World } from './world.ts'

/** One call of a route; without `path` the route's own, which then has no parameter. */
export interface Call extends Sent {
  path?: string
}

/** Makes a case's data in one world and gives the call to compare. */
export type Make = (world: World) => Call | Promise<Call>

/**
 * What is compared of a route, beyond what follows from the contract alone (who may call it, missing and broken input,
 * unknown ids): the call as it is meant, other ways it succeeds, and what it refuses.
 */
export interface RouteCases {
  succeeds: Make
  also?: Record<string, Make>
  refuses?: Record<string, Make>
  /** Paths of the answer that may differ, for they say what is measured or else in the database. */
  free?: readonly string[]
}

/** Cases for each route of a domain; a missing one does not compile. */
export type CasesOf<Domain extends Record<string, Route>> = { [Name in keyof Domain]: RouteCases }

/** A call by one of the shared accounts. */
export const by =
  (who: 'user' | 'admin' | 'superAdmin', call: Call = {}): Make =>
  async world => {
    const token = who === 'user' ? (await world.user()).token : await world[who]()
    return { ...call, token }
  }

/** A form with one file. */
export function formOf(content: BlobPart, name: string, type = ''): FormData {
  const form = new FormData()
  form.append('file', new File([content], name, { type }))
  return form
}
