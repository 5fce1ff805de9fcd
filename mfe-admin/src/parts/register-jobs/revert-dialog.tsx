import { showFormError } from '@portal/account-ui/form-errors'
import { LoadFailure } from '@portal/account-ui/load-failure'
import { useNavigate } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { Skeleton } from '@portal/ui/skeleton'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { Sample } from './sample.tsx'
import { usePreview, useStartJob } from './use-jobs.ts'
import { revertInWords } from './words.ts'

type Target = { kind: 'upload_revert'; upload_id: string } | { kind: 'job_revert'; job_id: string }

interface Props {
  title: string
  target: Target
  onClose: () => void
}

/** Previews a revert and starts it, with a reason and the caller's password. */
export default function RevertDialog({ title, target, onClose }: Props) {
  const formId = useId()
  const navigate = useNavigate()
  const preview = usePreview(target)
  const start = useStartJob()
  const form = useForm({ defaultValues: { reason: '', current_password: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async body => {
    try {
      const { message, job } = await start.mutateAsync({ ...target, ...body, reason: body.reason.trim() })
      showToast({ tone: 'success', message })
      onClose()
      void navigate(paths.registerJobs(job.id))
    } catch (error) {
      showFormError(form, error)
    }
  })
  const isUseless = preview.data?.to_change === 0
  return (
    <Dialog
      open
      onClose={onClose}
      closable={!isSubmitting}
      title={title}
      footer={
        <>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button
            variant="danger"
            type="submit"
            form={formId}
            busy={isSubmitting}
            busyLabel="Starting…"
            disabledReason={
              preview.data ? (isUseless ? 'Nothing would change.' : undefined) : 'The preview is loading.'
            }
          >
            Revert
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate autoComplete="off">
        <FormLayout>
          {preview.isError && <LoadFailure title="The preview could not be loaded" query={preview} />}
          {preview.isPending && <Skeleton lines={3} />}
          {preview.data && <p>{revertInWords(preview.data)}</p>}
          <TextInput
            {...form.register('reason', { required: 'Please give a reason.' })}
            label="Reason"
            maxLength={200}
            error={errors.reason?.message}
          />
          <PasswordInput
            {...form.register('current_password', { required: 'This field is required.' })}
            label="Your own password"
            autoComplete="current-password"
            error={errors.current_password?.message}
          />
          {preview.data && <Sample {...preview.data} />}
          {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
        </FormLayout>
      </form>
    </Dialog>
  )
}
