import type { Walk } from './walk.ts'
import { walkPublic, walkVerification } from './walk.ts'
import { walkLetters } from './walk-letters.ts'
import { walkBulk, walkMoney } from './walk-money.ts'
import { walkOffice } from './walk-office.ts'
import { walkOrganisations } from './walk-organisations.ts'
import { walkAdmin, walkReports, walkSecurity, walkSuperAdmin } from './walk-staff.ts'

/** Every kind of user, with a walk through every screen, dialog and state that they see. */
export const walks: [who: string, walk: (walk: Walk) => Promise<void>][] = [
  ['visitors', walkPublic],
  ['requesters', walkVerification],
  ['bulk verification', walkBulk],
  ['wrong payments and refunds', walkMoney],
  ['letters', walkLetters],
  ['staff', walkAdmin],
  ['the reports', walkReports],
  ['super admins', walkSuperAdmin],
  ['Account Security', walkSecurity],
]

/** All walks, including those that only the audits and `npm run test:full` take. */
export const everyWalk: typeof walks = [
  ...walks,
  ['organisations', walkOrganisations],
  ['settlements, disputes and organisations', walkOffice],
]
