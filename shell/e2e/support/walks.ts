import type { Walk } from './walk.ts'
import { walkJob, walkPublic } from './walk.ts'
import { walkLetters } from './walk-letters.ts'
import { walkBulk, walkMoney } from './walk-money.ts'
import { walkAdmin, walkChief, walkReports, walkSecurity } from './walk-staff.ts'

/** Every kind of user, with the walk through every screen, dialog and state that they see. */
export const walks: [who: string, walk: (walk: Walk) => Promise<void>][] = [
  ['visitors', walkPublic],
  ['requesters', walkJob],
  ['bulk verification', walkBulk],
  ['wrong payments and refunds', walkMoney],
  ['letters', walkLetters],
  ['staff', walkAdmin],
  ['the reports', walkReports],
  ['super admins', walkChief],
  ['Account Security', walkSecurity],
]
