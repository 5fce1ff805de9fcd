import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { LoadFailure } from '@portal/account-ui/load-failure'
import { isApiError } from '@portal/api/error'
import { formatCount } from '@portal/format/numbers'
import { useNavigate } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { FormRow } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { Skeleton } from '@portal/ui/skeleton'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Sample } from '../../parts/register-jobs/sample.tsx'
import { describeChange, startedMessage } from '../../parts/register-jobs/texts.ts'
import { type JobRequest, usePreview, useStartJob } from '../../parts/register-jobs/use-jobs.ts'
import styles from './certificates.module.css'

export type BulkKind = 'bulk_edit' | 'bulk_delete' | 'bulk_restore'

interface Props {
  kind: BulkKind
  selection: NonNullable<JobRequest['selection']>
  onStarted: () => void
  onClose: () => void
}

const dialogTexts = {
  bulk_edit: { title: 'Edit selected certificates', submit: 'Change certificates' },
  bulk_delete: { title: 'Delete the selected certificates?', submit: 'Delete certificates' },
  bulk_restore: { title: 'Restore selected certificates', submit: 'Restore certificates' },
} as const

const fields = ['course', 'department', 'grade', 'graduation_date'] as const
const blank = {
  course: '',
  department: '',
  grade: '',
  graduation_date: '',
  reason: '',
  current_password: '',
}
type Values = typeof blank

const valuesToSet = (values: Values) =>
  Object.fromEntries(fields.map(name => [name, values[name].trim()]).filter(([, value]) => value !== ''))

/** Changes, deletes or restores many certificates: a preview first, then a job in the background. */
export default function BulkDialog({ kind, selection, onStarted, onClose }: Props) {
  const navigate = useNavigate()
  const form = useForm<Values>({ defaultValues: blank })
  const state = stateOf(form)
  const field = fieldOf(form)
  // Deletions and restorations start with the preview, as they need no values.
  const [requested, setRequested] = useState<JobRequest | undefined>(
    kind === 'bulk_edit' ? undefined : { kind, selection },
  )
  const preview = usePreview(requested)
  const startJob = useStartJob()
  const previewData = requested && preview.data

  function previewEdit() {
    form.clearErrors()
    const set = valuesToSet(form.getValues())
    if (Object.keys(set).length === 0)
      return form.setError('course', { message: 'Please set at least one field.' }, { shouldFocus: true })
    setRequested({ kind, selection, set })
    if (requested) void preview.refetch()
  }

  const submit = submitWith(form, async ({ reason, current_password }) => {
    if (!requested || !previewData) return previewEdit()
    try {
      const { job } = await startJob.mutateAsync({
        ...requested,
        reason: reason.trim(),
        expected_count: previewData.count,
        ...(kind === 'bulk_delete' && { current_password }),
      })
      showToast({ tone: 'success', message: startedMessage(job.kind) })
      onStarted()
      void navigate(paths.registerJobs(job.id))
    } catch (error) {
      if (isApiError(error) && error.code === 'COUNT_CHANGED') void preview.refetch()
      throw error
    }
  })
  const newValueProps = (name: (typeof fields)[number]) => {
    // Changing a value discards the preview, because it no longer applies.
    const { error, ...rest } = field(name, { onChange: () => setRequested(undefined) })
    return { ...rest, error: error ?? fieldErrorOf(preview.error, name), optional: true }
  }
  const isInvalid =
    isApiError(preview.error) && Object.keys(preview.error.fields).some(name => /^set/.test(name))

  return (
    <FormDialog
      title={dialogTexts[kind].title}
      submitLabel={previewData ? dialogTexts[kind].submit : 'Preview'}
      busyLabel={previewData ? 'Starting…' : 'Loading…'}
      danger={kind === 'bulk_delete'}
      size={kind === 'bulk_edit' ? 'lg' : undefined}
      {...state}
      isSubmitting={state.isSubmitting || (requested !== undefined && preview.isFetching)}
      onSubmit={submit}
      onClose={onClose}
    >
      {kind === 'bulk_edit' && (
        <>
          <p>
            Fields left empty stay unchanged. Certificate numbers, names and matric numbers can only be edited
            for one certificate at a time.
          </p>
          <FormRow>
            <TextInput label="Course" {...newValueProps('course')} />
            <TextInput label="Department" {...newValueProps('department')} />
          </FormRow>
          <FormRow>
            <TextInput label="Grade" {...newValueProps('grade')} />
            <TextInput label="Graduation date" type="date" {...newValueProps('graduation_date')} />
          </FormRow>
        </>
      )}
      <TextInput label="Reason" maxLength={200} {...field('reason', { required: 'Reason is required' })} />
      {kind === 'bulk_delete' && (
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...field('current_password', { required: 'Current password is required' })}
        />
      )}
      <Preview
        kind={kind}
        isRequested={requested !== undefined}
        preview={preview}
        isErrorHidden={isInvalid}
      />
    </FormDialog>
  )
}

/** Returns the server's message for a value: `set.grade` in the response belongs to the field `grade`. */
function fieldErrorOf(error: unknown, name: string): string | undefined {
  if (!isApiError(error)) return undefined
  return error.fields[`set.${name}`]
}

interface PreviewProps {
  kind: BulkKind
  isRequested: boolean
  preview: ReturnType<typeof usePreview>
  /** True if the fields already show the failure. */
  isErrorHidden: boolean
}

function Preview({ kind, isRequested, preview, isErrorHidden }: PreviewProps) {
  if (!isRequested) return null
  const { data } = preview
  return (
    <div className={styles.preview} aria-busy={preview.isFetching || undefined} role="status">
      {preview.isError && !isErrorHidden && (
        <LoadFailure title="The preview could not be loaded" query={preview} />
      )}
      {preview.isPending && <Skeleton lines={3} />}
      {data && (
        <>
          <Alert tone={kind === 'bulk_delete' ? 'warning' : 'info'} silent>
            {describeChange(data)}
            {data.skipped > 0 &&
              ` ${formatCount(data.skipped)} will be skipped, because the number is in use again.`}
          </Alert>
          <Sample {...data} />
        </>
      )}
    </div>
  )
}
