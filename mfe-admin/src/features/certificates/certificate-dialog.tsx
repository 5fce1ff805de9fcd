import { zodResolver } from '@hookform/resolvers/zod'
import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf } from '@portal/account-ui/form-props'
import { useConflict } from '@portal/account-ui/use-conflict'
import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { EARLIEST_GRADUATION, institutionDay } from '@portal/contract/graduation-date'
import type { Certificate } from '@portal/contract/shapes'
import { useDraft } from '@portal/drafts/use-draft'
import { formatShortDate } from '@portal/format/dates'
import { Alert } from '@portal/ui/alert'
import { FormRow } from '@portal/ui/form-layout'
import { Suggestion } from '@portal/ui/suggestion'
import { TextInput } from '@portal/ui/text-input'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { certificateDrafts } from '../../parts/draft-forms.ts'
import { useDebounced } from '../../parts/use-debounced.ts'
import { type CertificateWithLetters, describeEdit } from './affected-letters.ts'
import {
  type CertificateBody,
  type CertificateForm,
  certificateSchema,
  toFormValues,
} from './certificate-form.ts'
import styles from './certificates.module.css'
import { fetchTheirs } from './use-certificates.ts'

/** Pause in typing before the standard form of a number is suggested, in milliseconds. */
const SUGGEST_AFTER_MS = 400

interface Props {
  /** The certificate to edit; without it, the form adds a new one. */
  certificate?: CertificateWithLetters | undefined
  /** Rejects with the error to show in the form. */
  onSave: (body: CertificateBody, edited: Certificate | undefined) => Promise<void>
  onClose: () => void
}

function describeOrigin({ uploader_email, uploaded_at }: Certificate): string {
  return `Added ${uploader_email ? `by ${uploader_email} ` : ''}on ${formatShortDate(uploaded_at)}.`
}

/** Form that adds or edits a certificate; closing it with unsaved changes asks for confirmation. */
export default function CertificateDialog({ certificate, onSave, onClose }: Props) {
  const form = useForm<CertificateForm, unknown, CertificateBody>({
    resolver: zodResolver(certificateSchema),
    defaultValues: toFormValues(certificate),
  })
  const draft = useDraft(form, {
    ...certificateDrafts,
    recordId: certificate?.id,
    label: certificate ? `Edit certificate ${certificate.certificate_number}` : 'Add certificate',
    searchText: certificate?.certificate_number,
  })
  const number = useWatch({ control: form.control, name: 'certificate_number' })
  const debouncedNumber = useDebounced(number, SUGGEST_AFTER_MS)
  // No suggestion is made for the number that is already stored.
  const suggested =
    debouncedNumber === number && number !== certificate?.certificate_number
      ? suggestCertificateNumber(number)
      : undefined
  const field = fieldOf(form)
  const [reason, setReason] = useState('')
  function takeSuggestion(suggested: string) {
    form.setValue('certificate_number', suggested, { shouldDirty: true, shouldValidate: true })
    form.setFocus('certificate_number')
  }
  const { save, conflict } = useConflict({
    form,
    record: certificate as Certificate | undefined,
    valuesOf: toFormValues,
    fetchTheirs: () => fetchTheirs(certificate?.id ?? ''),
    send: async (body, edited) => {
      await onSave({ ...body, ...(reason.trim() !== '' && { reason: reason.trim() }) }, edited)
      draft.remove()
      return undefined
    },
  })

  return (
    <FormDialog
      title={certificate ? 'Edit certificate' : 'Add certificate'}
      description={certificate && <span>{describeOrigin(certificate)}</span>}
      submitLabel={certificate ? 'Save changes' : 'Add certificate'}
      busyLabel="Saving…"
      draft={draft}
      {...stateOf(form)}
      onSubmit={form.handleSubmit(async body => {
        await save(body)
      })}
      onClose={onClose}
    >
      {conflict}
      {certificate && describeEdit(certificate) && (
        <Alert tone="info" silent>
          {describeEdit(certificate)}
        </Alert>
      )}
      <FormRow>
        <TextInput
          label="Certificate number"
          {...field('certificate_number')}
          help={
            <>
              {!suggested && 'As printed, e.g. UG/2019/00123'}
              <Suggestion number={suggested} onUse={takeSuggestion} />
            </>
          }
          mono
          upper
          autoCapitalize="characters"
          spellCheck={false}
        />
        <TextInput label="Matric number" {...field('matric_number')} optional mono spellCheck={false} />
      </FormRow>
      <TextInput label="Student name" {...field('student_name')} spellCheck={false} />
      <TextInput label="Course" {...field('course')} help="As printed on the letter, e.g. B.Sc. Economics" />
      <TextInput label="Department" {...field('department')} />
      <TextInput label="Grade" {...field('grade')} />
      <div className={styles.date}>
        <TextInput
          label="Graduation date"
          {...field('graduation_date')}
          type="date"
          min={EARLIEST_GRADUATION}
          max={institutionDay()}
        />
      </div>
      {certificate && (
        <TextInput
          label="Reason for the change"
          optional
          maxLength={200}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
