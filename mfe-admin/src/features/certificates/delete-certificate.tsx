import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { CertificateNumber } from '@portal/ui/mono'
import { TextInput } from '@portal/ui/text-input'
import { useState } from 'react'
import { type CertificateWithLetters, describeDeletion } from './affected-letters.ts'
import styles from './certificates.module.css'

interface Props {
  certificate: CertificateWithLetters
  busy: boolean
  onConfirm: (reason: string) => void
  onCancel: () => void
}

/** Dialog that asks for confirmation before a certificate is deleted, and names the consequences. */
export function DeleteCertificateDialog({ certificate, busy, onConfirm, onCancel }: Props) {
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      open
      title="Delete this certificate?"
      confirmLabel="Delete"
      busy={busy}
      onConfirm={() => onConfirm(reason.trim())}
      onCancel={onCancel}
    >
      <div className={styles.question}>
        <p className={styles.facts}>
          <CertificateNumber number={certificate.certificate_number} />, <bdi>{certificate.student_name}</bdi>
          . {describeDeletion(certificate)}
        </p>
        <TextInput
          label="Reason"
          optional
          maxLength={200}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
      </div>
    </ConfirmDialog>
  )
}
