import type { Organisation } from '@portal/contract/organisation-shapes'
import { formatShortDate } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { organisationDisplay, vettedDisplay } from '@portal/format/organisations'
import { Status } from '@portal/ui/badge'
import { DefinitionList } from '@portal/ui/definition-list'
import { Code } from '@portal/ui/mono'
import { Panel } from '@portal/ui/panel'
import { Email } from '../../parts/email.tsx'
import { EMPTY_VALUE } from '../../parts/empty-value.ts'
import lists from '../../parts/list.module.css'
import { Moment } from '../../parts/optional-values.tsx'
import styles from './organisations.module.css'

/** The profile of an organisation as entered by its owners and managers. */
export function Profile({ organisation, spent }: { organisation: Organisation; spent: number }) {
  const { address, currency, low_balance_alert } = organisation
  const addressLines = [address.line1, address.line2, address.city, address.state, address.country]
  return (
    <Panel title="Profile">
      <div className={styles.facts}>
        <DefinitionList
          items={[
            {
              term: 'Address',
              value: <span className={lists.text}>{addressLines.filter(Boolean).join(', ')}</span>,
            },
            { term: 'Contact email', value: <Email address={organisation.contact_email} /> },
            { term: 'Phone number', value: organisation.phone },
            { term: 'Registration number', value: organisation.registration_number ?? EMPTY_VALUE },
            {
              term: 'Website',
              value: organisation.website ? (
                <a
                  className={lists.text}
                  href={organisation.website}
                  rel="noreferrer noopener"
                  target="_blank"
                >
                  {organisation.website}
                </a>
              ) : (
                EMPTY_VALUE
              ),
            },
          ]}
        />
        <DefinitionList
          items={[
            {
              term: 'Status',
              value: <Status status={organisationDisplay(organisation.state)} variant="plain" />,
            },
            {
              term: 'Vetting',
              value: (
                <>
                  <Status status={vettedDisplay(organisation.vetted_at)} variant="plain" />{' '}
                  {organisation.vetted_at && (
                    <span className={styles.since}>on {formatShortDate(organisation.vetted_at)}</span>
                  )}
                </>
              ),
            },
            { term: 'Created', value: <Moment at={organisation.created_at} format={formatShortDate} /> },
            { term: 'Spent', value: formatMoney(spent, currency) },
            {
              term: 'Low-balance alert',
              value: low_balance_alert === null ? 'Off' : `Below ${formatMoney(low_balance_alert, currency)}`,
            },
            { term: 'ID', value: <Code>{organisation.id}</Code> },
          ]}
        />
      </div>
    </Panel>
  )
}
