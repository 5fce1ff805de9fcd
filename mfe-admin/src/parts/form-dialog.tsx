import { DraftNote } from '@portal/drafts/draft-note'
import type { DraftState } from '@portal/drafts/use-draft'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { type ReactNode, type SubmitEventHandler, useId, useState } from 'react'

interface Props {
  title: string
  description?: ReactNode
  submitLabel: string
  busyLabel: string
  /** `lg` for forms of many fields. */
  size?: 'lg' | undefined
  /** None where nothing that is entered may be kept. */
  draft?: DraftState | undefined
  /** What has to be typed again after a draft was restored. */
  draftHint?: string | undefined
  isDirty: boolean
  isSubmitting: boolean
  /** What the server refused, if no field is meant. */
  failure: string | undefined
  onSubmit: SubmitEventHandler<HTMLFormElement>
  onClose: () => void
  children: ReactNode
}

/** The dialog around a form. Closing it with changes asks first. */
export function FormDialog(props: Props) {
  const { title, description, submitLabel, busyLabel, size, isDirty, isSubmitting, failure } = props
  const { draft, draftHint, onSubmit, onClose, children } = props
  const formId = useId()
  const [leaving, setLeaving] = useState(false)
  const close = () => (isDirty ? setLeaving(true) : onClose())
  return (
    <>
      <Dialog
        open
        onClose={close}
        closable={!isSubmitting}
        title={title}
        size={size}
        description={description}
        footer={
          <>
            <Button onClick={close} disabled={isSubmitting}>
              Cancel
            </Button>
            <Button variant="primary" type="submit" form={formId} busy={isSubmitting} busyLabel={busyLabel}>
              {submitLabel}
            </Button>
          </>
        }
      >
        <form id={formId} onSubmit={onSubmit} noValidate autoComplete="off">
          <FormLayout>
            {draft && <DraftNote draft={draft} hint={draftHint} />}
            {children}
            {failure && <Alert tone="danger">{failure}</Alert>}
          </FormLayout>
        </form>
      </Dialog>
      <ConfirmDialog
        open={leaving}
        title="Discard what you entered?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={() => {
          draft?.sent()
          onClose()
        }}
        onCancel={() => setLeaving(false)}
      >
        Nothing has been saved yet.
      </ConfirmDialog>
    </>
  )
}
