import { alertText } from '@portal/api/error'
import type { Certificate } from '@portal/contract/shapes'
import { dropDraftsOfRecord } from '@portal/drafts/store'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { showToast } from '@portal/ui/toast-store'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { showUndo } from '../../parts/undo.tsx'
import type { CertificateWithLetters } from './affected-letters.ts'
import type { CertificateBody } from './certificate-form.ts'
import { DeleteCertificateDialog } from './delete-certificate.tsx'
import { useDeleteCertificate, useRestoreCertificate, useSaveCertificate } from './use-certificates.ts'

// Loaded lazily, so that the page does not wait for the code of a form and its validation.
const CertificateDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './certificate-dialog.tsx'))

type CertificateDialogState =
  | { kind: 'add' }
  | { kind: 'edit' | 'delete'; certificate: CertificateWithLetters }

export interface CertificateDialogs {
  add: () => void
  edit: (certificate: CertificateWithLetters) => void
  remove: (certificate: CertificateWithLetters) => void
  /** Restores at once, without a dialog. */
  restore: (certificate: Certificate) => void
  isOpen: boolean
  /** The open dialog, to be rendered. */
  dialogs: ReactNode
}

const buildToastKey = ({ id }: Pick<Certificate, 'id'>) => `certificate-${id}`

/** Returns functions that add, edit, delete and restore certificates, with their dialogs, toasts and undo. */
export function useCertificateDialogs({ onAdded }: { onAdded?: () => void } = {}): CertificateDialogs {
  const [open, setOpen] = useState<CertificateDialogState>()
  const save = useSaveCertificate()
  const remove = useDeleteCertificate()
  const restore = useRestoreCertificate()
  const close = () => setOpen(undefined)

  async function onSave(body: CertificateBody, edited: Certificate | undefined) {
    const defaultMessage = edited ? 'Certificate updated.' : 'Certificate added.'
    const { message = defaultMessage } = await save.mutateAsync({ edited, body })
    close()
    showToast({ tone: 'success', message })
    if (!edited) onAdded?.()
  }

  function onDelete(certificate: Certificate, reason: string) {
    remove.mutate(
      { certificate, reason },
      {
        onSuccess: ({ message = 'Certificate deleted.' }) => {
          dropDraftsOfRecord(certificate.id)
          // The focused button is removed with its row, so the focus moves to the heading.
          flushSync(close)
          document.querySelector<HTMLElement>('[data-page-title]')?.focus()
          const { id } = certificate
          showUndo({
            key: buildToastKey(certificate),
            message,
            undo: async () => (await restore.mutateAsync({ id })).message,
          })
        },
        onError: close,
      },
    )
  }

  function onRestore(certificate: Certificate) {
    restore.mutate(certificate, {
      onSuccess: ({ message }) => showToast({ tone: 'success', message, key: buildToastKey(certificate) }),
      onError: error => window.alert(alertText(error)),
    })
  }

  const dialogs = (
    <>
      {(open?.kind === 'add' || open?.kind === 'edit') && (
        <Suspense
          fallback={
            <DialogLoading
              title={open.kind === 'add' ? 'Add certificate' : 'Edit certificate'}
              onClose={close}
            />
          }
        >
          <CertificateDialog
            certificate={open.kind === 'edit' ? open.certificate : undefined}
            onSave={onSave}
            onClose={close}
          />
        </Suspense>
      )}
      {open?.kind === 'delete' && (
        <DeleteCertificateDialog
          certificate={open.certificate}
          busy={remove.isPending}
          onConfirm={reason => onDelete(open.certificate, reason)}
          onCancel={close}
        />
      )}
    </>
  )

  return {
    add: () => setOpen({ kind: 'add' }),
    edit: certificate => setOpen({ kind: 'edit', certificate }),
    remove: certificate => setOpen({ kind: 'delete', certificate }),
    restore: onRestore,
    isOpen: open !== undefined,
    dialogs,
  }
}
