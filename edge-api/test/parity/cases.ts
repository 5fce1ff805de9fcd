import type { Route } from '@portal/contract/route'
import type { ParityFixture, RequestOptions } from './fixture.ts'

/** A call of a route; `path` may be omitted if the route's path has no parameter. */
export interface Call extends RequestOptions {
  path?: string
}

/** Creates a case's data in one of the two systems under comparison (API or mocks) and returns the call to compare. */
export type MakeCall = (fixture: ParityFixture) => Call | Promise<Call>

/**
 * The cases of a route to compare, beyond those that follow from the contract (access, missing and invalid input, unknown IDs):
 * the usual call, other successes, and errors.
 */
export interface RouteCases {
  /** The usual call; undefined if calls cannot create a state in which it succeeds. */
  succeeds: MakeCall | undefined
  also?: Record<string, MakeCall>
  refuses?: Record<string, MakeCall>
  /** Paths of the response that may differ, because they depend on measurements or other data. */
  ignoredFields?: readonly string[]
}

/** The cases for each route of a domain. A missing route is a type error. */
export type CasesOf<Domain extends Record<string, Route>> = { [Name in keyof Domain]: RouteCases }

/** Returns a call by one of the shared accounts. */
export const callBy =
  (role: 'user' | 'admin' | 'superAdmin', call: Call = {}): MakeCall =>
  async fixture => {
    const token = role === 'user' ? (await fixture.user()).token : await fixture[role]()
    return { ...call, token }
  }

/** Returns a form with one file. */
export function makeForm(content: BlobPart, name: string, type = ''): FormData {
  const form = new FormData()
  form.append('file', new File([content], name, { type }))
  return form
}
