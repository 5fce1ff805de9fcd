import type { JobPreview, RegisterJobKind } from '@portal/contract/register-jobs'
import { counted } from '@portal/format/counted'
import { formatCount } from '@portal/format/numbers'

/* Texts about bulk changes. */

const kindLabels: Record<RegisterJobKind, string> = {
  bulk_edit: 'Bulk edit',
  bulk_delete: 'Bulk deletion',
  bulk_restore: 'Bulk restoration',
  upload_revert: 'Revert of an upload',
  job_revert: 'Revert of a bulk change',
}
export const jobKindLabel = (kind: RegisterJobKind): string => kindLabels[kind] ?? kind

/** Returns the message that a job has been started, which is also correct if the job has already ended. */
export const startedMessage = (kind: RegisterJobKind): string => `${jobKindLabel(kind)} started`

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are')

/** Describes a change: '5 certificates will change. 2 letters are affected.' */
export const describeChange = ({ to_change, letters_affected }: JobPreview): string =>
  `${counted(to_change, 'certificate')} will change. ${counted(letters_affected, 'letter')} ${isOrAre(letters_affected)} affected.`

/**
 * Describes a revert: 'This deletes 5 certificates, restores 2 and skips 1 that changed since. 3 letters will be withdrawn.'
 */
export const describeRevert = ({ to_delete, to_restore, skipped, letters_withdrawn }: JobPreview): string =>
  `This deletes ${counted(to_delete, 'certificate')}, restores ${formatCount(to_restore)} and skips ` +
  `${formatCount(skipped)} that changed since. ${counted(letters_withdrawn, 'letter')} will be withdrawn.`

export const NOTHING_TO_REVERT =
  'There is nothing to revert: every certificate has changed since, or already has its previous values.'
