import { AccountScreen } from '../../parts/accounts/account-screen.tsx'

const staff = ['admin', 'super_admin'] as const

/** Manage Admins: the staff accounts, for super admins. */
export default function AdminsPage() {
  return (
    <AccountScreen
      title="Manage Admins"
      description="Administrators and super administrators. To promote a user, change their role under User Management."
      addLabel="Add administrator"
      noun={['administrator', 'administrators']}
      roles={staff}
      newRoles={staff}
    />
  )
}
