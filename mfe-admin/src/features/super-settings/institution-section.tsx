import { zodResolver } from '@hookform/resolvers/zod'
import { fieldOf } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { q } from '@portal/api/query'
import { useSettings } from '@portal/api/settings'
import { adminSettings, type InstitutionSettings } from '@portal/contract/admin-settings'
import { DraftNote } from '@portal/drafts/draft-note'
import { FormLayout, FormRow } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { requireData } from '../../parts/require-data.ts'
import { AccentField } from './accent-field.tsx'
import { AccentPreview } from './accent-preview.tsx'
import { refreshBrand } from './brand-sheet.ts'
import { completeInstitution } from './complete-settings.ts'
import { ImageField } from './image-field.tsx'
import {
  type InstitutionBody,
  type InstitutionValues,
  institutionForm,
  toInstitutionValues,
} from './institution-form.ts'
import { Loaded } from './loaded.tsx'
import { SaveBar } from './save-bar.tsx'
import type { SectionProps } from './section-props.ts'
import styles from './super-settings.module.css'
import { useSettingsForm } from './use-settings-form.ts'

/** Section for name, address, support lines, colour and logo. */
export function InstitutionSection({ onDirty }: SectionProps) {
  const query = useQuery({ ...q(adminSettings.institution), select: requireData(({ name }) => name) })
  return (
    <Loaded query={query}>
      {loaded => <InstitutionForm settings={completeInstitution(loaded)} onDirty={onDirty} />}
    </Loaded>
  )
}

function InstitutionForm({ settings, onDirty }: SectionProps & { settings: InstitutionSettings }) {
  const { refetch } = useSettings()
  const form = useForm<InstitutionValues, unknown, InstitutionBody>({
    resolver: zodResolver(institutionForm),
    defaultValues: toInstitutionValues(settings),
  })
  const { submit, draft, conflict, saveBarProps } = useSettingsForm({
    form,
    name: 'institution',
    group: 'institution',
    settings,
    read: () => call(adminSettings.institution),
    route: adminSettings.institution,
    save: async (body: InstitutionBody, headers) => {
      const saved = await call(adminSettings.updateInstitution, { body, headers })
      // The refetch updates the header, sidebar and colours of this page.
      refetch()
      void refreshBrand()
      return saved
    },
    valuesOf: toInstitutionValues,
    onDirty,
  })
  const [name, accent] = useWatch({ control: form.control, name: ['name', 'accent'] })
  const field = fieldOf(form)

  return (
    <div className={styles.columns}>
      <Panel title="Profile" description="The institution’s details on pages, letters and emails.">
        <form onSubmit={submit} noValidate>
          <FormLayout>
            <DraftNote draft={draft} />
            {conflict}
            <TextInput label="Institution name" {...field('name')} />
            <TextInput label="Short name" {...field('short_name')} help="Used where space is limited." />
            <TextArea
              label="Address"
              {...field('address')}
              rows={1}
              className={styles.short}
              help="One line on the letterhead; separate the parts with commas."
            />
            <TextInput label="Support email" {...field('support_email')} type="email" inputMode="email" />
            <FormRow>
              <TextInput
                label="Support phone, line 1"
                {...field('phone_1')}
                optional
                type="tel"
                inputMode="tel"
              />
              <TextInput
                label="Support phone, line 2"
                {...field('phone_2')}
                optional
                type="tel"
                inputMode="tel"
              />
            </FormRow>
            <TextInput label="Business hours" {...field('business_hours')} help="For example 8 AM to 5 PM." />
            <TextArea
              label="Bank details"
              {...field('bank_details')}
              rows={3}
              optional
              help="Up to six lines, printed on the invoices of organisations. Without them, organisations cannot pay by bank transfer."
            />
            <AccentField
              label="Accent colour"
              {...field('accent')}
              value={accent}
              onChoose={colour =>
                form.setValue('accent', colour, { shouldDirty: true, shouldValidate: true })
              }
            />
            <SaveBar {...saveBarProps} updatedAt={settings.updated_at} />
          </FormLayout>
        </form>
      </Panel>
      <div className={styles.aside}>
        <ImageField
          kind="logo"
          title="Logo"
          description="On every page and at the top of letters. Without a logo, pages show the initials, and letters show an emblem."
          image={settings.logo}
          version={settings.version}
          onSaved={refetch}
        />
        <AccentPreview name={name} accent={accent} />
      </div>
    </div>
  )
}
