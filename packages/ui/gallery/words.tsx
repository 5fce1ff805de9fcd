import {
  accountDisplay,
  healthDisplay,
  historyDisplay,
  letterDisplay,
  paymentDisplay,
  statusDisplay,
} from '@portal/format/status'
import { Alert } from '@portal/ui/alert'
import { Badge, Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { CertificateNumber, Code, TransactionId } from '@portal/ui/mono'
import { Panel } from '@portal/ui/panel'
import { Stat, StatGroup } from '@portal/ui/stat'
import { useState } from 'react'
import styles from './gallery.module.css'

const statuses = [
  ...['PENDING', 'APPROVED', 'PAID', 'FAILED', 'CANCELLED', 'PROCESSING', 'not_found', 'odd'].map(
    statusDisplay,
  ),
  historyDisplay('paid', 'success'),
  historyDisplay('paid', 'failed'),
  historyDisplay('pending', null),
  historyDisplay('failed', 'failed'),
  paymentDisplay('paid'),
  healthDisplay('warning'),
  accountDisplay(false),
  letterDisplay('superseded'),
]

export function Words() {
  const [dismissed, setDismissed] = useState(false)
  return (
    <>
      <Panel
        title="Words"
        variant="plain"
        description="A serif for headings, a sans for everything else, tabular figures."
      >
        <div className={styles.stack}>
          <p className={styles.specimen} data-specimen="serif">
            Adébáyọ̀ Ọláṣẹ́ńí ₦5,000.00
          </p>
          <p data-specimen="sans">Adébáyọ̀ Ọláṣẹ́ńí paid ₦5,000.00 for Chị́dị̀ Ụzọ̀kwe’s certificate.</p>
          <p>
            <code data-specimen="mono">Adébáyọ̀ Ọláṣẹ́ńí ₦5,000.00 Chị́dị̀ Ụzọ̀kwe</code>
          </p>
          <div className={styles.row}>
            <CertificateNumber number="UG/2019/00123" size="large" />
          </div>
          <div className={styles.row}>
            <TransactionId id="CVF0123456789ABCDEFGHJKM" copy />
            <Code>PAY-0012-9931</Code>
            <a href="#words">A link in text</a>
          </div>
        </div>
      </Panel>
      <Panel title="Status" variant="plain">
        <div className={styles.stack}>
          <div className={styles.row}>
            {statuses.map(status => (
              <Status key={status.label} status={status} />
            ))}
          </div>
          <div className={styles.row}>
            {statuses.map(status => (
              <Status key={status.label} status={status} variant="plain" />
            ))}
          </div>
          <div className={styles.row}>
            <Badge>Administrator</Badge>
            <Badge tone="info">New</Badge>
          </div>
        </div>
      </Panel>
      <Panel title="Alerts" variant="plain">
        <div className={styles.stack}>
          <Alert tone="danger" title="Payment failed">
            Payment failed or was cancelled. Please try again.
          </Alert>
          <Alert tone="danger" reference="5f0c2a52-6c1f-4f6e-9d3c-0a1b2c3d4e5f">
            The service is busy right now. Nothing was changed. Please try again in a moment.
          </Alert>
          <Alert tone="success">Profile updated successfully!</Alert>
          <Alert tone="warning" actions={<Button size="sm">Resend the link</Button>}>
            Check your email for verification link
          </Alert>
          {!dismissed && (
            <Alert tone="info" onDismiss={() => setDismissed(true)}>
              Payment still pending. Please complete the payment.
            </Alert>
          )}
        </div>
      </Panel>
      <Panel title="Figures" variant="plain">
        <StatGroup label="Your verifications">
          <Stat label="Total verifications" value="1,284" note="112 in the last 30 days" />
          <Stat label="Total revenue" value="₦6,420,000.00" note="8.7% of it recent" />
          <Stat label="Success rate" value="87.5%" note="Excellent" />
          <Stat label="Pending" value="12" loading />
        </StatGroup>
      </Panel>
      <div className={styles.columns}>
        <Panel title="Facts" level={3}>
          <DefinitionList
            items={[
              { term: 'Certificate number', value: <CertificateNumber number="UG/2019/00123" /> },
              { term: 'Student name', value: 'Adébáyọ̀ Ọláṣẹ́ńí' },
              { term: 'Course', value: 'B.Sc. Computer Science' },
              { term: 'Graduation date', value: 'January 31, 2026' },
              { term: 'Grade', value: 'Second Class Honours (Upper Division)' },
            ]}
          />
        </Panel>
        <Panel title="What the fee buys" level={3} variant="sunken">
          <DefinitionList
            variant="compact"
            items={[
              { term: 'Verification fee', value: '₦5,000.00' },
              { term: 'Processing time', value: 'Instant' },
              { term: 'Payment method', value: 'Card' },
              { term: 'Official letter', value: 'Printable PDF' },
            ]}
          />
        </Panel>
      </div>
    </>
  )
}
