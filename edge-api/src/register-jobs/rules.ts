import type { RegisterJobKind } from '@portal/contract/register-jobs'

/** The names of each kind of job in the activity log and in notifications. */
export const kinds: Record<RegisterJobKind, { activity: string; title: string }> = {
  bulk_edit: { activity: 'Certificates changed in bulk', title: 'Bulk edit' },
  bulk_delete: { activity: 'Certificates deleted in bulk', title: 'Bulk deletion' },
  bulk_restore: { activity: 'Certificates restored in bulk', title: 'Bulk restoration' },
  upload_revert: { activity: 'Upload reverted', title: 'Revert of an upload' },
  job_revert: { activity: 'Bulk change reverted', title: 'Revert of a bulk change' },
}

export const isRevert = (kind: RegisterJobKind) => kind === 'upload_revert' || kind === 'job_revert'

/** The source of a job's changes in the history. */
export const sourceOf = (kind: RegisterJobKind) =>
  kind === 'upload_revert' || kind === 'job_revert' ? 'revert' : kind

/** The states of an upload or job that can be reverted. */
export const hasEnded = (state: string) => state === 'done' || state === 'cancelled'
