import type { SettingGroup } from '@portal/contract/admin-settings'
import { formatDateTime } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions } from '@portal/ui/form-layout'
import { SettingsHistory } from '../../parts/history/settings-history.tsx'
import styles from './super-settings.module.css'

interface Props {
  group: SettingGroup
  isDirty: boolean
  busy: boolean
  /** The message shown after saving, until the next change. */
  successMessage: string | undefined
  /** The message of a server error that does not belong to any field. */
  errorMessage: string | undefined
  /** When these settings were last saved. */
  updatedAt: string | null
  onDiscard: () => void
}

/** Footer of a section's form: save status, Save and Discard. */
export function SaveBar({ group, isDirty, busy, successMessage, errorMessage, updatedAt, onDiscard }: Props) {
  return (
    <>
      {errorMessage && <Alert tone="danger">{errorMessage}</Alert>}
      {successMessage && !isDirty && <Alert tone="success">{successMessage}</Alert>}
      <FormActions>
        <Button variant="primary" type="submit" busy={busy} busyLabel="Saving…">
          Save changes
        </Button>
        {isDirty && (
          <Button variant="quiet" onClick={onDiscard} disabled={busy}>
            Discard changes
          </Button>
        )}
        <p className={styles.since}>
          {isDirty ? 'You have unsaved changes.' : updatedAt && `Last changed ${formatDateTime(updatedAt)}`}
        </p>
        <SettingsHistory group={group} />
      </FormActions>
    </>
  )
}
