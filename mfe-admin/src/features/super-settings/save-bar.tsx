import type { SettingGroup } from '@portal/contract/admin-settings'
import { formatDateTime } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions } from '@portal/ui/form-layout'
import { SettingsHistory } from '../../parts/history/settings-history.tsx'
import styles from './super-settings.module.css'

interface Props {
  group: SettingGroup
  dirty: boolean
  busy: boolean
  /** The message shown after saving, until the next change. */
  saved: string | undefined
  /** The message of a server error that does not belong to any field. */
  failed: string | undefined
  /** When these settings were last saved. */
  updatedAt: string | null
  onDiscard: () => void
}

/** Footer of a section's form: save status, Save and Discard. */
export function SaveBar({ group, dirty, busy, saved, failed, updatedAt, onDiscard }: Props) {
  return (
    <>
      {failed && <Alert tone="danger">{failed}</Alert>}
      {saved && !dirty && <Alert tone="success">{saved}</Alert>}
      <FormActions>
        <Button variant="primary" type="submit" busy={busy} busyLabel="Saving…">
          Save changes
        </Button>
        {dirty && (
          <Button variant="quiet" onClick={onDiscard} disabled={busy}>
            Discard changes
          </Button>
        )}
        <p className={styles.since}>
          {dirty ? 'You have unsaved changes.' : updatedAt && `Last changed ${formatDateTime(updatedAt)}`}
        </p>
        <SettingsHistory group={group} />
      </FormActions>
    </>
  )
}
