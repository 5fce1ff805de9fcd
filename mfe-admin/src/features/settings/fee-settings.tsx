import { DraftNote } from '@portal/drafts/draft-note'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { SettingsHistory } from '../../parts/history/settings-history.tsx'
import { isBelowMinimum } from './fee-change.ts'
import { describeMinimum, FeeConfirmation } from './fee-confirmation.tsx'
import styles from './settings.module.css'
import { useFeeForm } from './use-fee-form.ts'

interface Props {
  /** The current fee in major units. It only initialises the field, so a refetch never overwrites input. */
  fee: number
  version: number
  currency: string
  /** The gateway's minimum amount; 0 if unknown. */
  minimum: number
}

/** Form that sets the verification fee. */
export function FeeSettings({ fee, version, currency, minimum }: Props) {
  const isSuperAdmin = useSession(({ user }) => user?.role === 'super_admin')
  const { form, draft, conflict, submit, update, proposedFee, confirm, cancel } = useFeeForm({
    fee,
    version,
    currency,
    minimum,
  })
  const { errors, isSubmitting } = form.formState

  return (
    <>
      <form onSubmit={submit} noValidate>
        <FormLayout>
          <DraftNote draft={draft} />
          {conflict}
          {isBelowMinimum(fee, minimum) && (
            <Alert tone="warning" title="The gateway refuses payments at this fee">
              {describeMinimum(minimum, currency)}. Raise the fee, or set it to 0.
            </Alert>
          )}
          <div className={styles.field}>
            <TextInput
              {...form.register('fee', { onChange: () => update.reset() })}
              label={`Verification fee (${currency})`}
              help="With a fee of 0, verifications are free and need no payment."
              error={errors.fee?.message}
              type="number"
              inputMode="decimal"
              min={0}
              step={0.01}
              autoComplete="off"
              required
            />
          </div>
          {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
          {update.isSuccess && <Alert tone="success">Verification fee updated.</Alert>}
          <FormActions>
            <Button variant="primary" type="submit" busy={isSubmitting} busyLabel="Updating…">
              Update fee
            </Button>
            {isSuperAdmin && <SettingsHistory group="fee" />}
          </FormActions>
        </FormLayout>
      </form>
      <FeeConfirmation
        fee={fee}
        proposedFee={proposedFee}
        currency={currency}
        minimum={minimum}
        busy={update.isPending}
        onConfirm={confirm}
        onCancel={cancel}
      />
    </>
  )
}
