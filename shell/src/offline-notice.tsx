import { useSyncExternalStore } from 'react'
import styles from './offline-notice.module.css'

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Shows that the network is unavailable. The live region is always in the page, so that its text is announced. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className={styles.region}>
      {!isOnline && <p className={styles.notice}>You are offline. You can still read this page.</p>}
    </div>
  )
}
