import type { RegisterJobKind } from '@portal/contract/register-jobs'

/** Name of each kind of job in the activity log and in notifications. */
export const kindNames: Record<RegisterJobKind, { activity: string; title: string }> = {
  bulk_edit: { activity: 'Certificates changed in bulk', title: 'Bulk edit' },
  bulk_delete: { activity: 'Certificates deleted in bulk', title: 'Bulk deletion' },
  bulk_restore: { activity: 'Certificates restored in bulk', title: 'Bulk restoration' },
  upload_revert: { activity: 'Upload reverted', title: 'Revert of an upload' },
  job_revert: { activity: 'Bulk change reverted', title: 'Revert of a bulk change' },
}

export const isRevert = (kind: RegisterJobKind) => kind === 'upload_revert' || kind === 'job_revert'

/** Returns the kind of source that the history records for a job's changes. */
export const toSourceKind = (kind: RegisterJobKind) =>
  kind === 'upload_revert' || kind === 'job_revert' ? 'revert' : kind

/** True if an upload or job in this state can be reverted. */
export const isRevertibleState = (state: string) => state === 'done' || state === 'cancelled'
