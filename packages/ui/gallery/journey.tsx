import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Panel } from '@portal/ui/panel'
import { Progress } from '@portal/ui/progress'
import { Seal } from '@portal/ui/seal'
import { Skeleton } from '@portal/ui/skeleton'
import { Spinner } from '@portal/ui/spinner'
import { StageList } from '@portal/ui/stage-list'
import { Stepper } from '@portal/ui/stepper'
import { Tabs } from '@portal/ui/tabs'
import { FileSearch, KeyRound, UserRound } from 'lucide-react'
import { useState } from 'react'
import styles from './gallery.module.css'

const steps = [
  { id: 'input', label: 'Certificate' },
  { id: 'confirm', label: 'Confirm' },
  { id: 'payment', label: 'Payment' },
  { id: 'waiting', label: 'Waiting' },
  { id: 'result', label: 'Result' },
]

export function Journey() {
  const [tab, setTab] = useState<'profile' | 'password'>('profile')
  return (
    <>
      <Panel title="A journey" variant="plain">
        <div className={styles.stack}>
          <Stepper label="Verification steps" steps={steps} current="payment" />
          <div className={styles.columns}>
            <Panel title="Waiting for your payment" level={3}>
              <StageList
                label="Progress"
                stages={[
                  { id: 'found', label: 'Certificate Found', state: 'done' },
                  {
                    id: 'payment',
                    label: 'Payment Processing',
                    state: 'active',
                    note: 'Finish in the payment window.',
                  },
                  { id: 'complete', label: 'Verification Complete', state: 'waiting' },
                ]}
              />
            </Panel>
            <Panel level={3}>
              <div className={styles.result}>
                <Seal label="Certificate verified" text="University of Greenfield" />
                <h3>Certificate verified</h3>
              </div>
            </Panel>
          </div>
        </div>
      </Panel>
      <Panel title="Waiting" variant="plain">
        <div className={styles.columns}>
          <div className={styles.stack}>
            <Spinner label="Loading dashboard..." />
            <Progress label="Uploading" value={412} max={1000} text="412 of 1,000 rows, 8s left" />
            <Progress label="Reconciling" />
          </div>
          <Skeleton lines={3} />
        </div>
      </Panel>
      <Panel title="Tabs" variant="plain">
        <Tabs
          label="Profile Settings"
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'profile', label: 'Profile Information', icon: UserRound },
            { id: 'password', label: 'Change Password', icon: KeyRound },
          ]}
        >
          <p>{tab === 'profile' ? 'Names, phone and address.' : 'Current and new password.'}</p>
        </Tabs>
      </Panel>
      <Panel>
        <EmptyState
          icon={FileSearch}
          title="No verifications yet"
          action={<Button variant="primary">Verify Certificate</Button>}
        >
          Verify a certificate number to see it here with its letter.
        </EmptyState>
      </Panel>
    </>
  )
}
