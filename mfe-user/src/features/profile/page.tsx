import { Sessions } from '@portal/account-ui/sessions'
import { useSearchParams } from '@portal/router'
import { PageHeader } from '@portal/ui/page-header'
import { Tabs } from '@portal/ui/tabs'
import { OrganisationOffer } from './organisation-offer.tsx'
import styles from './page.module.css'
import { PasswordForm } from './password-form.tsx'
import { ProfileInformation } from './profile-form.tsx'
import { YourData } from './your-data.tsx'

const tabs = [
  { id: 'profile', label: 'Profile Information' },
  { id: 'password', label: 'Change Password' },
] as const

export default function ProfilePage() {
  const [search, setSearch] = useSearchParams()
  const tab = search.get('tab') === 'password' ? 'password' : 'profile'
  return (
    <>
      <PageHeader title="Profile Settings" description="Your details and the address on your letters." />
      <Tabs
        label="Profile settings"
        tabs={tabs}
        value={tab}
        onChange={id => setSearch(id === 'profile' ? {} : { tab: id }, { replace: true })}
      >
        {/* The profile stays mounted while the other tab is shown, so that edits are kept. Typed passwords are not kept. */}
        <div hidden={tab !== 'profile'}>
          <ProfileInformation />
        </div>
        {tab === 'password' && (
          <>
            <PasswordForm />
            <Sessions className={`${styles.form} ${styles.after}`} />
          </>
        )}
      </Tabs>
      <OrganisationOffer />
      <YourData />
    </>
  )
}
