import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { requireActive } from '../membership/member-or-fail.ts'
import { findOrganisation, type OrganisationRow } from '../membership/store.ts'
import type { KeyPrincipal } from '../principal.ts'

/** The organisation of a key. */
export async function organisationOf(
  db: Reader,
  { organisationId }: Pick<KeyPrincipal, 'organisationId'>,
): Promise<OrganisationRow> {
  const organisation = await findOrganisation(db, { id: organisationId })
  if (!organisation) throw new Fault('UNAUTHENTICATED')
  return organisation
}

/**
 * The same for calls that write: it must be active, and for live keys still vetted.
 * @throws Fault `ORGANISATION_SUSPENDED`, `ORGANISATION_NOT_VETTED`
 */
export async function writableOrganisation(db: Reader, key: KeyPrincipal): Promise<OrganisationRow> {
  const organisation = await organisationOf(db, key)
  requireActive(organisation)
  if (key.mode === 'live' && organisation.vettedAt === null) throw new Fault('ORGANISATION_NOT_VETTED')
  return organisation
}
