import { zodResolver } from '@hookform/resolvers/zod'
import { showFormError } from '@portal/account-ui/form-errors'
import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import { DraftNote } from '@portal/drafts/draft-note'
import { useDraft } from '@portal/drafts/use-draft'
import { formatMoney } from '@portal/format/money'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { feeSettings } from '../../parts/screen-endpoints.ts'
import { showUndo } from '../../parts/undo.tsx'
import { feeInWords, isBelowMinimum, needsConfirmation } from './fee-change.ts'
import { type FeeBody, type FeeForm, feeFormSchema, feeText } from './fee-form.ts'
import styles from './settings.module.css'

interface Props {
  /** The current fee in major units; initialises the field only, so a refetch never overwrites input. */
  fee: number
  currency: string
  /** The gateway's minimum amount; 0 if unknown. */
  minimum: number
}

/** Form that sets the verification fee. */
export function FeeSettings({ fee, currency, minimum }: Props) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<FeeBody>()
  const send = (body: FeeBody) => call(feeSettings.update, { body: { ...body, currency: 'NGN' } })
  const onChanged = ({
    settings,
    updated_at,
    minimum_payment,
  }: Partial<Awaited<ReturnType<typeof send>>>) => {
    // The specification defines no response here: refetch the fee if it is missing.
    if (settings)
      client.setQueryData(queryKey(feeSettings.read, {}), { settings, updated_at, minimum_payment })
    else void client.invalidateQueries({ queryKey: queryKey(feeSettings.read, {}) })
    void client.invalidateQueries({ queryKey: queryKey(feeSettings.history) })
  }
  const update = useMutation({ mutationFn: send, onSuccess: onChanged })
  const form = useForm<FeeForm, unknown, FeeBody>({
    resolver: zodResolver(feeFormSchema),
    defaultValues: { fee: feeText(fee) },
  })
  const draft = useDraft(form, { form: 'fee', version: 1 })
  const { errors, isSubmitting } = form.formState

  async function change(body: FeeBody) {
    const sent = form.getValues('fee')
    try {
      const { settings } = await update.mutateAsync(body)
      if (body.fee !== fee) offerUndo(body.fee)
      // Keeps what was typed during the request.
      if (form.getValues('fee') === sent) form.reset({ fee: feeText(settings?.verification_fee ?? body.fee) })
    } catch (error) {
      showFormError(form, error)
    } finally {
      setAsked(undefined)
    }
  }

  function offerUndo(now: number) {
    showUndo({
      message: `The fee is now ${formatMoney(now, currency)}.`,
      undo: async () => {
        onChanged(await send({ fee }))
        update.reset()
        form.reset({ fee: feeText(fee) })
        return `The fee is ${formatMoney(fee, currency)} again.`
      },
    })
  }

  const submit = form.handleSubmit(body =>
    needsConfirmation(fee, body.fee) || isBelowMinimum(body.fee, minimum) ? setAsked(body) : change(body),
  )
  const tooLow = `The payment gateway does not accept payments below ${formatMoney(minimum, currency)}`

  return (
    <>
      <form onSubmit={submit} noValidate>
        <FormLayout>
          <DraftNote draft={draft} />
          {isBelowMinimum(fee, minimum) && (
            <Alert tone="warning" title="The gateway refuses payments at this fee">
              {tooLow}. Raise the fee, or set it to 0.
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
          </FormActions>
        </FormLayout>
      </form>
      <ConfirmDialog
        open={asked !== undefined}
        title="Change the verification fee?"
        confirmLabel="Change fee"
        danger={false}
        busy={update.isPending}
        onConfirm={() => asked && void change(asked)}
        onCancel={() => setAsked(undefined)}
      >
        {asked && (
          <>
            <p>Current fee: {feeInWords(fee, currency)}</p>
            <p>
              <strong>New fee: {feeInWords(asked.fee, currency)}</strong>
            </p>
            <p>The new fee applies to payments started from now on.</p>
            {isBelowMinimum(asked.fee, minimum) && (
              <Alert tone="warning">
                {tooLow}. With this fee, payments for one certificate will be refused.
              </Alert>
            )}
          </>
        )}
      </ConfirmDialog>
    </>
  )
}
