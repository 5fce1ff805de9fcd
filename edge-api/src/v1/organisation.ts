import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { findOrganisation, type OrganisationRow } from '../membership/store.ts'
import type { KeyPrincipal } from '../principal.ts'

/** Finds the organisation to which a key belongs. @throws Fault `UNAUTHENTICATED` if there is none */
export async function organisationOf(
  db: Reader,
  { organisationId }: Pick<KeyPrincipal, 'organisationId'>,
): Promise<OrganisationRow> {
  const organisation = await findOrganisation(db, { id: organisationId })
  if (!organisation) throw new Fault('UNAUTHENTICATED')
  return organisation
}
