import { Alert } from '@portal/ui/alert'
import styles from './page.module.css'

/** What a dialog that closed itself has to say. */
export default function Notice({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  return (
    <div className={styles.notice}>
      <Alert tone="success" onDismiss={onDismiss}>
        {text}
      </Alert>
    </div>
  )
}
