import type { Change, ChangeAction, ChangeSource } from '@portal/contract/history'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { OneLine } from '@portal/ui/one-line'

const actionLabels: Record<ChangeAction, string> = {
  created: 'Created',
  updated: 'Updated',
  deleted: 'Deleted',
  // Deleting a certificate also withdraws its letters.
  withdrawn: 'Deleted, letters withdrawn',
  restored: 'Restored',
  purged: 'Removed permanently',
}
export const actionLabel = (action: ChangeAction): string => actionLabels[action] ?? action

const sourceLabels: Record<ChangeSource, string> = {
  form: 'Form',
  upload: 'Upload',
  bulk_edit: 'Bulk edit',
  bulk_delete: 'Bulk deletion',
  bulk_restore: 'Bulk restoration',
  revert: 'Revert',
  self: 'Own profile',
  system: 'The portal',
}
export const sourceLabel = (kind: ChangeSource): string => sourceLabels[kind] ?? kind

/** How a change was made; an upload or a job is a link to its screen. */
export function Source({ kind, id, label }: Change['source']) {
  const name = label ? `${sourceLabel(kind)} ${label}` : sourceLabel(kind)
  if (id === null) return name
  return (
    <Link to={kind === 'upload' ? paths.uploadReport(id) : paths.registerJobs(id)}>
      <OneLine text={name} anywhere />
    </Link>
  )
}
