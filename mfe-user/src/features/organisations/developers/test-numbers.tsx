import { Code } from '@portal/ui/mono'
import { Table } from '@portal/ui/table'
import styles from '../organisations.module.css'

const numbers = [
  { number: 'TEST/2020/001', result: 'Found, with a specimen letter.' },
  { number: 'TEST/2020/002', result: 'Found; the letter is withdrawn after 10 seconds (webhook).' },
  { number: 'TEST/2020/402', result: 'Refused with 402: the balance is too low.' },
  { number: 'TEST/2020/409', result: 'Waits for consent; found after 10 seconds.' },
  { number: 'TEST/2020/410', result: 'Waits for consent; refused after 10 seconds.' },
  { number: 'TEST/2020/429', result: 'Refused with 429 and Retry-After: 1.' },
  { number: 'TEST/2020/500', result: 'Fails with 500.' },
] as const

/** The fixed certificate numbers of test mode. */
export function TestNumbers() {
  return (
    <div className={styles.page}>
      <p className={styles.muted}>
        With a test key, these numbers always give the same result. All other valid numbers give “not found”.
        Test mode never reads the register, moves money or sends mail; its data is deleted after 30 days.
      </p>
      <Table
        caption="Test numbers"
        captionHidden
        columns={[
          {
            key: 'number',
            header: 'Certificate number',
            rowHeader: true,
            nowrap: true,
            cell: ({ number }) => <Code>{number}</Code>,
          },
          { key: 'result', header: 'Result', cell: ({ result }) => result },
        ]}
        rows={numbers}
        rowKey={({ number }) => number}
      />
    </div>
  )
}
