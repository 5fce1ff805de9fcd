import { zodResolver } from '@hookform/resolvers/zod'
import { call } from '@portal/api/call'
import { q } from '@portal/api/query'
import { adminSettings } from '@portal/contract/admin-settings'
import { type Policies, policies } from '@portal/contract/policies'
import { DraftNote } from '@portal/drafts/draft-note'
import { Checkbox } from '@portal/ui/checkbox'
import { FormLayout } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { RadioGroup } from '@portal/ui/radio-group'
import { useQuery } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import type * as z from 'zod'
import { requireData } from '../../parts/require-data.ts'
import { Loaded } from './loaded.tsx'
import { SaveBar } from './save-bar.tsx'
import type { SectionProps } from './section-props.ts'
import styles from './super-settings.module.css'
import { useSettingsForm } from './use-settings-form.ts'

type Values = z.infer<typeof policies>

type StoredPolicies = Policies & { updated_at: string | null; version: number }

const choices = {
  unknown_certificates: {
    legend: 'Certificate numbers that are not in the register',
    help: 'Payments already started keep the rule that applied then.',
    options: [
      {
        value: 'free',
        label: 'Report before payment',
        help: 'Nothing is charged for numbers that do not exist. People can find out which numbers exist (limited to 20 misses an hour).',
      },
      {
        value: 'charge',
        label: 'Report after payment',
        help: '“Not found” is a paid result and is not refunded.',
      },
    ],
  },
  public_tracking: {
    legend: 'Payment tracking without an account',
    help: 'Anyone with the transaction ID can look up the payment.',
    options: [
      {
        value: 'full',
        label: 'Show the verified certificate',
        help: 'Once it is paid: student name, course, graduation date and grade.',
      },
      {
        value: 'status',
        label: 'Show only the payment',
        help: 'The status of the payment, and the certificate’s number only.',
      },
    ],
  },
  organisations: {
    legend: 'Organisations',
    help: 'Teams that share a history and pay from a prepaid balance.',
    options: [
      { value: 'off', label: 'Not offered', help: 'Existing organisations keep working.' },
      { value: 'on', label: 'Offered', help: 'Anyone with an account can create an organisation.' },
    ],
  },
} as const

const toValues = ({
  unknown_certificates,
  public_tracking,
  staff_totp,
  organisations,
}: Policies): Values => ({ unknown_certificates, public_tracking, staff_totp, organisations })

/** Form for the policies that the institution chooses. */
export function PoliciesSection({ onDirty }: SectionProps) {
  const query = useQuery({
    ...q(adminSettings.policies),
    select: requireData(({ unknown_certificates }) => unknown_certificates),
  })
  return <Loaded query={query}>{settings => <PoliciesForm settings={settings} onDirty={onDirty} />}</Loaded>
}

function PoliciesForm({ settings, onDirty }: SectionProps & { settings: StoredPolicies }) {
  const form = useForm<Values>({ resolver: zodResolver(policies), defaultValues: toValues(settings) })
  const { submit, draft, conflict, saveBarProps } = useSettingsForm({
    form,
    name: 'policies',
    group: 'policies',
    settings,
    read: () => call(adminSettings.policies),
    route: adminSettings.policies,
    save: (body: Values, headers) => call(adminSettings.updatePolicies, { body, headers }),
    valuesOf: toValues,
    onDirty,
  })
  return (
    <form onSubmit={submit} noValidate className={styles.policies}>
      <FormLayout>
        <DraftNote draft={draft} />
        {conflict}
        {(['unknown_certificates', 'public_tracking', 'organisations'] as const).map(name => (
          <Panel key={name}>
            <Controller
              control={form.control}
              name={name}
              render={({ field: { value, onChange }, fieldState }) => (
                <RadioGroup
                  {...choices[name]}
                  name={name}
                  value={value}
                  onChange={onChange}
                  error={fieldState.error?.message}
                />
              )}
            />
          </Panel>
        ))}
        <Panel title="Staff login">
          <Checkbox
            label="Require an authenticator app for staff"
            help="Staff without an app set one up at their next visit, before any other screen opens. This includes you."
            {...form.register('staff_totp')}
          />
        </Panel>
        <SaveBar {...saveBarProps} updatedAt={settings.updated_at} />
      </FormLayout>
    </form>
  )
}
