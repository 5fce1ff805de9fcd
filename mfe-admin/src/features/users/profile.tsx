import type { adminUsers } from '@portal/contract/admin-users'
import type { Reply } from '@portal/contract/route'
import { formatShortDate } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { accountDisplay, emailDisplay } from '@portal/format/status'
import { roleLabel } from '@portal/session/roles'
import { Badge, Status } from '@portal/ui/badge'
import { DefinitionList } from '@portal/ui/definition-list'
import { Panel } from '@portal/ui/panel'
import { type AccountControls, RoleSelect, VerifyButtons } from '../../parts/accounts/account-actions.tsx'
import { getAllowedActions } from '../../parts/accounts/allowed-actions.ts'
import { Email } from '../../parts/email.tsx'
import { EMPTY_VALUE } from '../../parts/empty-value.ts'
import lists from '../../parts/list.module.css'
import { Moment } from '../../parts/optional-values.tsx'
import styles from './users.module.css'

type Props = Reply<typeof adminUsers.read> & { controls: AccountControls }

/** The contact details, status and statistics of an account. */
export function Profile({ user, counts, second_factor, erasure, controls }: Props) {
  const allowedActions = getAllowedActions(controls.viewer, user)
  return (
    <Panel title="Profile">
      <DefinitionList
        items={[
          { term: 'Email', value: <Email address={user.email} /> },
          {
            term: 'Email verified',
            value: (
              <span className={styles.inline}>
                <Status status={emailDisplay(user.is_verified)} variant="plain" />
                {allowedActions.verify && (
                  <VerifyButtons
                    account={user}
                    runningAction={controls.runningAction}
                    onAction={controls.onAction}
                  />
                )}
              </span>
            ),
          },
          { term: 'Phone number', value: user.phone || EMPTY_VALUE },
          { term: 'Address', value: <span className={lists.text}>{user.address || EMPTY_VALUE}</span> },
          {
            term: 'Role',
            value: allowedActions.role ? (
              <div className={styles.role}>
                <RoleSelect account={user} onRoleChange={controls.onRoleChange} />
              </div>
            ) : (
              <Badge>{roleLabel(user.role)}</Badge>
            ),
          },
          { term: 'Status', value: <Status status={accountDisplay(user.is_enabled)} variant="plain" /> },
          { term: 'Joined', value: <Moment at={user.created_at} format={formatShortDate} /> },
          { term: 'Verifications', value: formatCount(counts.verifications) },
          { term: 'Payments', value: formatCount(counts.payments) },
          ...(second_factor
            ? [{ term: 'Authenticator app', value: second_factor.is_set_up ? 'Set up' : 'Not set up' }]
            : []),
          ...(erasure?.due_at
            ? [{ term: 'Will be erased on', value: <Moment at={erasure.due_at} format={formatShortDate} /> }]
            : []),
        ]}
      />
    </Panel>
  )
}
