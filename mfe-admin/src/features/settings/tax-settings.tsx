import { zodResolver } from '@hookform/resolvers/zod'
import { ifMatch } from '@portal/account-ui/conflict'
import { fieldOf } from '@portal/account-ui/form-props'
import { LoadFailure } from '@portal/account-ui/load-failure'
import { useConflict } from '@portal/account-ui/use-conflict'
import { call } from '@portal/api/call'
import { q, queryKey } from '@portal/api/query'
import type { TaxRate } from '@portal/contract/tax'
import { formatMinor, formatMoney, toMinor } from '@portal/format/money'
import { includedTax, taxLabel } from '@portal/format/tax'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions, FormLayout } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { TextInput } from '@portal/ui/text-input'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { SettingsHistory } from '../../parts/history/settings-history.tsx'
import { requireData } from '../../parts/require-data.ts'
import { feeSettings, settingsHistory } from '../../parts/screen-endpoints.ts'
import styles from './settings.module.css'
import { formatRate, type TaxBody, type TaxForm, taxFormSchema } from './tax-form.ts'

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

function describeTax(tax: TaxRate, fee: number, currency: string): string {
  if (tax.basis_points === 0) return 'No tax is shown on the fee, receipts or reports.'
  const amount = formatMinor(includedTax(toMinor(fee), tax.basis_points), currency)
  return `${taxLabel(tax)} is included: ${amount} of ${formatMoney(fee, currency)}.`
}

interface StoredTax extends TaxRate {
  version: number
}

const toValues = ({ name, basis_points }: TaxRate): TaxForm => ({
  name,
  basis_points: formatRate(basis_points),
})

function Form({ tax, fee, currency }: { tax: StoredTax; fee: number; currency: string }) {
  const isSuperAdmin = useSession(({ user }) => user?.role === 'super_admin')
  const client = useQueryClient()
  const cacheTax = (stored: StoredTax) => {
    client.setQueryData(queryKey(feeSettings.tax, {}), stored)
    void client.invalidateQueries({ queryKey: queryKey(settingsHistory) })
  }
  const update = useMutation({
    mutationFn: ({ body, stored }: { body: TaxBody; stored: StoredTax }) =>
      call(feeSettings.updateTax, { body, headers: ifMatch(stored) }),
    onSuccess: ({ message: _, ...reply }) => cacheTax(reply),
  })
  const form = useForm<TaxForm, unknown, TaxBody>({
    resolver: zodResolver(taxFormSchema),
    defaultValues: toValues(tax),
  })
  const { save, conflict } = useConflict<TaxForm, TaxBody, StoredTax>({
    form,
    record: tax,
    valuesOf: toValues,
    fetchTheirs: async () => {
      const record = await call(feeSettings.tax)
      cacheTax(record)
      const query = { per_page: 1 }
      const history = await call(settingsHistory, { params: { group: 'tax' }, query }).catch(() => undefined)
      return { record, change: history?.changes[0] }
    },
    send: async (body, stored = tax) => {
      const saved = await update.mutateAsync({ body, stored })
      form.reset(toValues(saved))
      return saved
    },
  })
  const { errors, isSubmitting } = form.formState
  const field = fieldOf(form)
  const submit = form.handleSubmit(async body => {
    await save(body)
  })
  const onChange = () => update.reset()
  return (
    <form onSubmit={submit} noValidate>
      <FormLayout>
        {conflict}
        <p>{describeTax(tax, fee, currency)}</p>
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
          {isSuperAdmin && <SettingsHistory group="tax" />}
        </FormActions>
      </FormLayout>
    </form>
  )
}
