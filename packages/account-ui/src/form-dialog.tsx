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
  /** For forms that delete or withdraw something. */
  danger?: boolean | undefined
  /** Why the form cannot be submitted yet. */
  disabledReason?: string | undefined
  /** `lg` for forms with many fields. */
  size?: 'lg' | undefined
  /** Saves the input as a draft. Omit it if the input must not be stored. */
  draft?: DraftState | undefined
  /** Names the fields that have to be entered again after a draft is restored. */
  draftHint?: string | undefined
  isDirty: boolean
  isSubmitting: boolean
  /** A server error that does not belong to any field. */
  failure: string | undefined
  onSubmit: SubmitEventHandler<HTMLFormElement>
  onClose: () => void
  children: ReactNode
}

/** Dialog around a form. Closing it with unsaved changes asks for confirmation. */
export function FormDialog(props: Props) {
  const { title, description, submitLabel, busyLabel, size } = props
  const { isDirty, isSubmitting, failure, danger, disabledReason } = props
  const { draft, draftHint, onSubmit, onClose, children } = props
  const formId = useId()
  const [isConfirmingClose, setConfirmingClose] = useState(false)
  const close = () => (isDirty ? setConfirmingClose(true) : onClose())
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
            <Button
              variant={danger ? 'danger' : 'primary'}
              type="submit"
              form={formId}
              busy={isSubmitting}
              busyLabel={busyLabel}
              disabledReason={disabledReason}
            >
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
        open={isConfirmingClose}
        title="Discard your changes?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={() => {
          draft?.remove()
          onClose()
        }}
        onCancel={() => setConfirmingClose(false)}
      >
        Nothing has been saved yet.
      </ConfirmDialog>
    </>
  )
}
