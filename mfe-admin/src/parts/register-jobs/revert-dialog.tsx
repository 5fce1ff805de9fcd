import { FormDialog } from '@portal/account-ui/form-dialog'
import { fieldOf, stateOf, submitWith } from '@portal/account-ui/form-props'
import { LoadFailure } from '@portal/account-ui/load-failure'
import { useNavigate } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { PasswordInput } from '@portal/ui/password-input'
import { Skeleton } from '@portal/ui/skeleton'
import { TextInput } from '@portal/ui/text-input'
import { showToast } from '@portal/ui/toast-store'
import { useForm } from 'react-hook-form'
import { Sample } from './sample.tsx'
import { describeRevert, NOTHING_TO_REVERT, startedMessage } from './texts.ts'
import { usePreview, useStartJob } from './use-jobs.ts'

export type RevertTarget =
  | { kind: 'upload_revert'; upload_id: string }
  | { kind: 'job_revert'; job_id: string }

interface Props {
  title: string
  target: RevertTarget
  onClose: () => void
}

/** Dialog that previews a revert and starts it, with a reason and the caller's password. */
export default function RevertDialog({ title, target, onClose }: Props) {
  const navigate = useNavigate()
  const preview = usePreview(target)
  const startJob = useStartJob()
  const form = useForm({ defaultValues: { reason: '', current_password: '' } })
  const field = fieldOf(form)
  const submit = submitWith(form, async body => {
    const { job } = await startJob.mutateAsync({ ...target, ...body, reason: body.reason.trim() })
    showToast({ tone: 'success', message: startedMessage(job.kind) })
    onClose()
    void navigate(paths.registerJobs(job.id))
  })
  // There is nothing to revert, so no password is asked for.
  if (preview.data?.to_change === 0)
    return (
      <Dialog open title={title} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
        {NOTHING_TO_REVERT}
      </Dialog>
    )
  return (
    <FormDialog
      title={title}
      submitLabel="Revert"
      busyLabel="Starting…"
      danger
      disabledReason={preview.data ? undefined : 'The preview is loading.'}
      {...stateOf(form)}
      onSubmit={submit}
      onClose={onClose}
    >
      {preview.isError && <LoadFailure title="The preview could not be loaded" query={preview} />}
      {preview.isPending && <Skeleton lines={3} />}
      {preview.data && <p>{describeRevert(preview.data)}</p>}
      <TextInput label="Reason" maxLength={200} {...field('reason', { required: 'Reason is required' })} />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        {...field('current_password', { required: 'Current password is required' })}
      />
      {preview.data && <Sample {...preview.data} />}
    </FormDialog>
  )
}
