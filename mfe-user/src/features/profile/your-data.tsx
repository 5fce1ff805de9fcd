import { DownloadData, Erasure } from '@portal/account-ui/account-data'
import { call } from '@portal/api/call'
import { q } from '@portal/api/query'
import { ERASURE_GRACE_DAYS, type ErasureState, ownAccountData } from '@portal/contract/account-data'
import { erasureBlockers } from '@portal/format/erasure'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { useState } from 'react'
import { EraseDialog } from './erase-dialog.tsx'
import styles from './page.module.css'

/** Lets users download or erase the data that the portal stores about them. */
export function YourData() {
  return (
    <Panel title="Your data" className={`${styles.form} ${styles.after}`}>
      <div className={styles.data}>
        <Download />
        <OwnErasure />
      </div>
    </Panel>
  )
}

function Download() {
  return (
    <section className={styles.choice} aria-labelledby="download-data">
      <div>
        <h3 id="download-data" className={styles.choiceTitle}>
          Download your data
        </h3>
        <p className={styles.choiceText}>
          All the data we hold about you in one file: profile, verifications, payments, letters, notifications
          and activity.
        </p>
      </div>
      <DownloadData read={() => call(ownAccountData.read)} prefix="my_data">
        Download
      </DownloadData>
    </section>
  )
}

const pendingTexts = {
  title: (date: string) => `Your account will be erased on ${date}`,
  text: 'Until then everything works as before. Download your data and your letters before then.',
  keepLabel: 'Keep my account',
}

function OwnErasure() {
  const [confirming, setConfirming] = useState(false)
  return (
    <Erasure
      query={q(ownAccountData.erasure)}
      cancel={() => call(ownAccountData.cancelErasure)}
      pendingTexts={pendingTexts}
    >
      {(state, show) => (
        <>
          <Offer state={state} onErase={() => setConfirming(true)} />
          {confirming && (
            <EraseDialog
              onClose={() => setConfirming(false)}
              onRequested={request => {
                setConfirming(false)
                show(request)
              }}
            />
          )}
        </>
      )}
    </Erasure>
  )
}

function Offer({ state, onErase }: { state: ErasureState; onErase: () => void }) {
  const blockers = erasureBlockers(state)
  return (
    <section className={styles.choice} aria-labelledby="erase-account">
      <div>
        <h3 id="erase-account" className={styles.choiceTitle}>
          Erase your account
        </h3>
        <p className={styles.choiceText}>
          Your name, addresses and phone number are permanently erased {ERASURE_GRACE_DAYS} days after your
          request. Letters that you have shared stay valid.
        </p>
        {blockers && (
          <p className={styles.choiceText}>
            Not possible now: {blockers}. Please come back once this is resolved.
          </p>
        )}
      </div>
      <Button disabled={blockers !== null} onClick={onErase}>
        Erase account…
      </Button>
    </section>
  )
}
