import { zodResolver } from '@hookform/resolvers/zod'
import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { feeSettings } from '../../parts/endpoints.ts'
import { showFormError } from '../../parts/form-errors.ts'
import { type FeeBody, type FeeForm, feeFormSchema, feeText } from './fee-form.ts'
import styles from './settings.module.css'

interface Props {
  /** The fee as it stands, in major units; only where the field starts. A later refresh never overwrites it. */
  fee: number
  currency: string
}

/** Sets the verification fee. */
export function FeeSettings({ fee, currency }: Props) {
  const client = useQueryClient()
  const update = useMutation({
    mutationFn: (body: FeeBody) => call(feeSettings.update, { body: { ...body, currency: 'NGN' } }),
    onSuccess: ({ settings, updated_at }) => {
      // The specification names no answer of this call: without one the fee is read again.
      if (settings) client.setQueryData(queryKey(feeSettings.read, {}), { settings, updated_at })
      else void client.invalidateQueries({ queryKey: queryKey(feeSettings.read, {}) })
      void client.invalidateQueries({ queryKey: queryKey(feeSettings.history) })
    },
  })
  const form = useForm<FeeForm, unknown, FeeBody>({
    resolver: zodResolver(feeFormSchema),
    defaultValues: { fee: feeText(fee) },
  })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async body => {
    const sent = form.getValues('fee')
    try {
      const { settings } = await update.mutateAsync(body)
      // What was typed while the answer was on its way stays.
      if (form.getValues('fee') === sent) form.reset({ fee: feeText(settings?.verification_fee ?? body.fee) })
    } catch (error) {
      showFormError(form, error)
    }
  })

  return (
    <form onSubmit={submit} noValidate>
      <FormLayout>
        <div className={styles.field}>
          <TextInput
            {...form.register('fee', { onChange: () => update.reset() })}
            label={`Verification fee (${currency})`}
            help="With a fee of 0, verifications are free and no payment is asked for."
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
  )
}
