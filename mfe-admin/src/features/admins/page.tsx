import { AccountScreen } from '../../parts/accounts/account-screen.tsx'

const staff = ['admin', 'super_admin'] as const

/** The accounts of staff, for super admins. */
export default function AdminsPage() {
  return (
    <AccountScreen
      title="Manage Admins"
      description="Administrators and super administrators. To make a user one, change their role under User Management."
      addLabel="Add Administrator"
      noun={['administrator', 'administrators']}
      roles={staff}
      newRoles={staff}
    />
  )
}
