import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { CertificateNumber } from '@portal/ui/mono'
import styles from './certificates.module.css'
import { deletionNote, type WithLetters } from './letters-concerned.ts'

interface Props {
  certificate: WithLetters
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation, naming the certificate and the consequences. */
export function DeleteCertificate({ certificate, busy, onConfirm, onCancel }: Props) {
  return (
    <ConfirmDialog
      open
      title="Delete this certificate?"
      confirmLabel="Delete"
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p className={styles.facts}>
        <CertificateNumber number={certificate.certificate_number} />, {certificate.student_name}.{' '}
        {deletionNote(certificate)}
      </p>
    </ConfirmDialog>
  )
}
