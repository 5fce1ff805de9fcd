import type { StaffMovement } from '@portal/contract/admin-organisations'
import type { Invoice } from '@portal/contract/organisation-billing'
import type { Member, Organisation } from '@portal/contract/organisation-shapes'

/** Props shared by the dialogs of an organisation. */
export interface DialogProps {
  organisation: Organisation
  members: readonly Member[]
  invoices: readonly Invoice[]
  onClose: () => void
}

/** Props of the dialogs that refund or reverse a movement. */
export interface UndoMovementProps {
  organisationId: string
  currency: string
  movement: StaffMovement
  onClose: () => void
}
