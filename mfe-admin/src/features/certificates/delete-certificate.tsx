import type { Certificate } from '@portal/contract/shapes'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { CertificateNumber } from '@portal/ui/mono'
import styles from './certificates.module.css'

interface Props {
  certificate: Certificate
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before a certificate is deleted, naming it and what follows. */
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
        <CertificateNumber number={certificate.certificate_number} />, {certificate.student_name}. It can no
        longer be verified, and letters issued for it are withdrawn.
      </p>
    </ConfirmDialog>
  )
}
