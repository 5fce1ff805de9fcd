import { zodResolver } from '@hookform/resolvers/zod'
import { fieldOf } from '@portal/account-ui/form-props'
import { call } from '@portal/api/call'
import { q } from '@portal/api/query'
import { adminSettings, type LetterSettings, letterUpdate } from '@portal/contract/admin-settings'
import { defaultLetterTexts, letterPlaceholders } from '@portal/contract/letter-texts'
import { DraftNote } from '@portal/drafts/draft-note'
import { Button } from '@portal/ui/button'
import { FormLayout } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useForm, useWatch } from 'react-hook-form'
import type * as z from 'zod'
import { requireData } from '../../parts/require-data.ts'
import { completeLetter } from './complete-settings.ts'
import { LetterPreview } from './letter-preview.tsx'
import { Loaded } from './loaded.tsx'
import { SaveBar } from './save-bar.tsx'
import type { SectionProps } from './section-props.ts'
import styles from './super-settings.module.css'
import { useSettingsForm } from './use-settings-form.ts'

type Values = z.input<typeof letterUpdate>
type Body = z.output<typeof letterUpdate>

const textFields = ['subject', 'opening', 'closing', 'thanks'] as const

const toValues = ({ name, title, for: office, email, ...rest }: LetterSettings): Values => ({
  name,
  title,
  for: office,
  email,
  subject: rest.subject,
  opening: rest.opening,
  closing: rest.closing,
  thanks: rest.thanks,
})

/** Section for signatory and text of the letter, with a live preview. */
export function LetterSection({ onDirty }: SectionProps) {
  const query = useQuery({ ...q(adminSettings.letter), select: requireData(({ name }) => name) })
  return (
    <Loaded query={query}>
      {loaded => <LetterForm settings={completeLetter(loaded)} onDirty={onDirty} />}
    </Loaded>
  )
}

function LetterForm({ settings, onDirty }: SectionProps & { settings: LetterSettings }) {
  const form = useForm<Values, unknown, Body>({
    resolver: zodResolver(letterUpdate),
    defaultValues: toValues(settings),
  })
  const { submit, draft, conflict, saveBarProps } = useSettingsForm({
    form,
    name: 'letter',
    group: 'letter',
    settings,
    read: () => call(adminSettings.letter),
    route: adminSettings.letter,
    save: (body: Body, headers) => call(adminSettings.updateLetter, { body, headers }),
    valuesOf: toValues,
    onDirty,
  })
  const typed = useWatch({ control: form.control })
  const field = fieldOf(form)
  const isDefault = textFields.every(name => typed[name] === defaultLetterTexts[name])
  const restoreDefaults = () => {
    for (const name of textFields)
      form.setValue(name, defaultLetterTexts[name], { shouldDirty: true, shouldValidate: true })
  }

  return (
    <div className={styles.columns} data-wide>
      <form onSubmit={submit} noValidate className={styles.stack}>
        <DraftNote draft={draft} />
        {conflict}
        <Panel title="Signatory">
          <FormLayout>
            <TextInput label="Name" {...field('name')} />
            <TextInput label="Title" {...field('title')} />
            <TextInput label="Signs for" {...field('for')} optional help="Printed as “For: Registrar”." />
            <TextInput label="Email" {...field('email')} type="email" inputMode="email" />
          </FormLayout>
        </Panel>
        <Panel
          title="Letter text"
          action={
            <Button size="sm" icon={RotateCcw} disabled={isDefault} onClick={restoreDefaults}>
              Restore default
            </Button>
          }
        >
          <FormLayout>
            <div className={styles.places}>
              <p>
                These placeholders are filled in for each letter. To print a value in capitals, write its
                placeholder in capitals, such as {'{STUDENT}'}.
              </p>
              <dl>
                {Object.entries(letterPlaceholders).map(([placeholder, meaning]) => (
                  <div key={placeholder}>
                    <dt>{`{${placeholder}}`}</dt>
                    <dd>{meaning}</dd>
                  </div>
                ))}
              </dl>
            </div>
            <TextArea label="Subject" {...field('subject')} rows={1} className={styles.short} />
            <TextArea label="Opening" {...field('opening')} rows={5} />
            <TextArea
              label="Closing"
              {...field('closing')}
              rows={5}
              help="Printed below the certificate’s table."
            />
            <TextArea label="Thanks" {...field('thanks')} rows={1} className={styles.short} />
            <SaveBar {...saveBarProps} updatedAt={settings.updated_at} />
          </FormLayout>
        </Panel>
      </form>
      <LetterPreview
        signature={{
          name: typed.name ?? '',
          title: typed.title ?? '',
          for: typed.for ?? '',
          email: typed.email ?? '',
          signature_image: settings.signature_image,
          stamp_image: settings.stamp_image,
        }}
        texts={{
          subject: typed.subject ?? '',
          opening: typed.opening ?? '',
          closing: typed.closing ?? '',
          thanks: typed.thanks ?? '',
        }}
      />
    </div>
  )
}
