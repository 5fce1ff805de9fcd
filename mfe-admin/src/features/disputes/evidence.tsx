import type { DisputeEvidence } from '@portal/contract/admin-disputes'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { DefinitionList } from '@portal/ui/definition-list'
import { CertificateNumber } from '@portal/ui/mono'
import lists from '../../parts/list.module.css'
import styles from './disputes.module.css'

const outcomes = {
  verified: 'Found; the letter was delivered.',
  not_found: 'Result delivered: not found.',
  refund_due: 'Not delivered; refund due.',
} as const

type Item = DisputeEvidence['items'][number]

function EvidenceItem({ item: { certificate_number: number, outcome, letter } }: { item: Item }) {
  return (
    <li className={styles.line}>
      <CertificateNumber number={number} />
      <span>{outcome ? outcomes[outcome] : 'Nothing was delivered.'}</span>
      {letter && (
        <span className={lists.secondText}>
          Letter <a href={letter.url}>{letter.ref_number}</a>, {letter.status}. Checked {letter.checks}{' '}
          {letter.checks === 1 ? 'time' : 'times'}
          {letter.last_checked_at ? `, last on ${formatDateTime(letter.last_checked_at)}` : ''}.
        </span>
      )}
    </li>
  )
}

/** Evidence for a payment, as sent to the bank with the answer. */
export function Evidence({ evidence }: { evidence: DisputeEvidence }) {
  const { customer, items = [], refunds = [], uses = [], currency } = evidence
  return (
    <section className={lists.stack} aria-labelledby="dispute-evidence">
      <h2 id="dispute-evidence" className={styles.title}>
        Evidence
      </h2>
      <DefinitionList
        variant="compact"
        items={[
          { term: 'Customer', value: customer.name },
          { term: 'Email', value: customer.email },
          { term: 'Phone', value: customer.phone || 'None' },
          {
            term: 'Paid',
            value: evidence.paid_at
              ? `${formatMoney(evidence.amount_paid, currency)} on ${formatDateTime(evidence.paid_at)}`
              : 'Nothing',
          },
          {
            term: 'Delivered',
            value: evidence.delivered_at ? formatDateTime(evidence.delivered_at) : 'Nothing',
          },
        ]}
      />
      <ul className={styles.lines}>
        {items.map(item => (
          <EvidenceItem key={item.certificate_number} item={item} />
        ))}
        {refunds.map(refund => (
          <li key={`${refund.at} ${refund.amount}`} className={styles.line}>
            <span>
              Refund of {formatMoney(refund.amount, currency)}, {refund.status.replaceAll('_', ' ')}
            </span>
            <span className={lists.secondText}>
              {formatDateTime(refund.at)}
              {refund.reference ? `, reference ${refund.reference}` : ''}
            </span>
          </li>
        ))}
      </ul>
      <h3 className={styles.title}>Usage log</h3>
      {uses.length === 0 && <p className={lists.secondText}>No activity recorded.</p>}
      <ol className={styles.lines}>
        {uses.map((use, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries can be identical, and the list is static
          <li key={index} className={styles.line}>
            <span>{use.what}</span>
            <span className={lists.secondText}>
              {formatDateTime(use.at)}
              {use.ip_address ? `, IP address ${use.ip_address}` : ''}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
