import type { Canary, RemotePointer, RemoteRelease } from '@portal/contract/remote'
import { VISITOR_NUMBER_COOKIE } from '@portal/contract/static-page'
import { session } from '@portal/session/store'

/**
 * Returns the visitor's number from 0 to 100, which decides whether a canary of the landing page includes the visitor. The
 * server sets it as a cookie; it identifies no one. Without the cookie, the release could change with each visit, so the number
 * is then 100, which no canary includes.
 */
const visitorNumber = () =>
  Number(new RegExp(`${VISITOR_NUMBER_COOKIE}=([\\d.]+)`).exec(document.cookie)?.[1] ?? 100)

/** Returns true if the canary includes this visitor: by the browser or, if logged in, by the account, in any browser. */
async function getsCanary(name: string, canary: Canary): Promise<boolean> {
  if (name === 'mfe-public') return visitorNumber() < canary.percent
  const account = session.get().user?.id
  // Hashing is only available in secure contexts; elsewhere no account is selected.
  if (account === undefined || !isSecureContext) return false
  const { canaryMark, isChosen } = await import(/* webpackChunkName: "later" */ '@portal/contract/canary')
  return isChosen(canary, await canaryMark(canary.release, account))
}

/** Returns the release for this visitor: the live one, or the canary. */
export async function releaseFor(pointer: RemotePointer): Promise<RemoteRelease> {
  const { name, canary } = pointer
  return canary && (await getsCanary(name, canary)) ? canary : pointer
}
