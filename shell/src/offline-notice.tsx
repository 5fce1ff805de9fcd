import { useSyncExternalStore } from 'react'
import styles from './offline-notice.module.css'

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Shows that the network is unavailable. The live region is always in the page, so that its text is announced. */
export function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className={styles.region}>
      {!online && <p className={styles.notice}>You are offline. You can still read this page.</p>}
    </div>
  )
}
