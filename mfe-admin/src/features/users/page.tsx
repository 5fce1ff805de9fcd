import { AccountScreen } from '../../parts/accounts/account-screen.tsx'
import { allRoles } from '../../parts/accounts/allowed-actions.ts'

/** User Management: all accounts. */
export default function UsersPage() {
  return (
    <AccountScreen
      title="User Management"
      description="Everyone with an account."
      addLabel="Add User"
      noun={['user', 'users']}
      roles={allRoles}
      newRoles={allRoles}
    />
  )
}
