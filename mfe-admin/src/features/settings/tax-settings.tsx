import { zodResolver } from '@hookform/resolvers/zod'
import { fieldOf, submitWith } from '@portal/account-ui/form-props'
import { LoadFailure } from '@portal/account-ui/load-failure'
import { call } from '@portal/api/call'
import { q, queryKey } from '@portal/api/query'
import type { TaxRate } from '@portal/contract/tax'
import { formatMinor, formatMoney, toMinor } from '@portal/format/money'
import { includedTax, taxLabel } from '@portal/format/tax'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { TextInput } from '@portal/ui/text-input'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { requireData } from '../../parts/require-data.ts'
import { feeSettings } from '../../parts/screen-endpoints.ts'
import styles from './settings.module.css'
import { rateText, type TaxBody, type TaxForm, taxFormSchema } from './tax-form.ts'

/** The tax included in the fee, and the form that changes it. */
export function TaxSettings({ fee, currency }: { fee: number; currency: string }) {
  const tax = useQuery({ ...q(feeSettings.tax), select: requireData(reply => reply.basis_points) })
  return (
    <Panel title="Tax" className={styles.form}>
      {tax.isError && !tax.data && <LoadFailure title="The tax could not be loaded" query={tax} />}
      {tax.isPending && <Skeleton size="field" />}
      {tax.data && <Form tax={tax.data} fee={fee} currency={currency} />}
    </Panel>
  )
}

function inWords(tax: TaxRate, fee: number, currency: string): string {
  if (tax.basis_points === 0) return 'No tax is shown on the fee, receipts or reports.'
  const amount = formatMinor(includedTax(toMinor(fee), tax.basis_points), currency)
  return `${taxLabel(tax)} is included: ${amount} of ${formatMoney(fee, currency)}.`
}

function Form({ tax, fee, currency }: { tax: TaxRate; fee: number; currency: string }) {
  const client = useQueryClient()
  const update = useMutation({
    mutationFn: (body: TaxBody) => call(feeSettings.updateTax, { body }),
    onSuccess: ({ message: _, ...reply }) => client.setQueryData(queryKey(feeSettings.tax, {}), reply),
  })
  const form = useForm<TaxForm, unknown, TaxBody>({
    resolver: zodResolver(taxFormSchema),
    defaultValues: { name: tax.name, basis_points: rateText(tax.basis_points) },
  })
  const { errors, isSubmitting } = form.formState
  const field = fieldOf(form)
  const submit = submitWith(form, async body => {
    await update.mutateAsync(body)
    form.reset({ name: body.name, basis_points: rateText(body.basis_points) })
  })
  const onChange = () => update.reset()
  return (
    <form onSubmit={submit} noValidate>
      <FormLayout>
        <p>{inWords(tax, fee, currency)}</p>
        <div className={styles.field}>
          <TextInput label="Tax name" {...field('name', { onChange })} autoComplete="off" required />
        </div>
        <div className={styles.field}>
          <TextInput
            {...field('basis_points', { onChange })}
            label="Tax rate (%)"
            help="The fee includes the tax: payers pay the same. Enter 0 for no tax."
            inputMode="decimal"
            autoComplete="off"
            required
          />
        </div>
        {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
        {update.isSuccess && (
          <Alert tone="success">Tax saved. Payments already started keep their tax.</Alert>
        )}
        <FormActions>
          <Button type="submit" busy={isSubmitting} busyLabel="Saving…">
            Save tax
          </Button>
        </FormActions>
      </FormLayout>
    </form>
  )
}
