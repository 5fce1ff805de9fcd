import { zodResolver } from '@hookform/resolvers/zod'
import { ifMatch } from '@portal/account-ui/conflict'
import { useConflict } from '@portal/account-ui/use-conflict'
import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import { useDraft } from '@portal/drafts/use-draft'
import { formatMoney } from '@portal/format/money'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { feeSettings, settingsHistory } from '../../parts/screen-endpoints.ts'
import { showUndo } from '../../parts/undo.tsx'
import { isBelowMinimum, needsConfirmation } from './fee-change.ts'
import { type FeeBody, type FeeForm, feeFormSchema, feeText } from './fee-form.ts'

interface StoredFee {
  fee: number
  version: number
}

interface Options extends StoredFee {
  currency: string
  minimum: number
}

/** Returns the state and actions of the fee form: saving with a conflict check, a confirmation for large changes, and undo. */
export function useFeeForm({ fee, version, currency, minimum }: Options) {
  const client = useQueryClient()
  const [proposedBody, setProposedBody] = useState<FeeBody>()
  const send = ({ body, version: expected }: { body: FeeBody; version: number }) =>
    call(feeSettings.update, {
      body: { ...body, currency: 'NGN' },
      headers: ifMatch({ version: expected }),
    })
  const updateCache = (reply: Partial<Awaited<ReturnType<typeof send>>>) => {
    const { message: _, ...stored } = reply
    // The specification defines no response for saving the fee, so the settings are fetched again if the response lacks them.
    if (stored.settings) client.setQueryData(queryKey(feeSettings.read, {}), stored)
    else void client.invalidateQueries({ queryKey: queryKey(feeSettings.read, {}) })
    for (const route of [feeSettings.history, settingsHistory])
      void client.invalidateQueries({ queryKey: queryKey(route) })
  }
  /** Fetches the current fee, which the screen also shows, with its newest change if the caller may see it. */
  async function fetchTheirs() {
    const stored = await call(feeSettings.read)
    updateCache(stored)
    const query = { per_page: 1 }
    const history = await call(settingsHistory, { params: { group: 'fee' }, query }).catch(() => undefined)
    const record = { fee: stored.settings.verification_fee, version: stored.version }
    return { record, change: history?.changes[0] }
  }
  const update = useMutation({ mutationFn: send, onSuccess: updateCache })
  const form = useForm<FeeForm, unknown, FeeBody>({
    resolver: zodResolver(feeFormSchema),
    defaultValues: { fee: feeText(fee) },
  })
  const draft = useDraft(form, { form: 'fee', version: 1 })

  const { save, conflict, continueFrom } = useConflict({
    form,
    record: { fee, version },
    valuesOf: (stored: StoredFee): FeeForm => ({ fee: feeText(stored.fee) }),
    fetchTheirs,
    send: async (body, stored = { fee, version }) => {
      const submittedFee = form.getValues('fee')
      const reply = await update.mutateAsync({ body, version: stored.version })
      const saved = { fee: reply.settings?.verification_fee ?? body.fee, version: reply.version }
      if (body.fee !== stored.fee) offerUndo(saved, stored.fee)
      // Resets the form only if the field has not changed during the request.
      if (form.getValues('fee') === submittedFee) form.reset({ fee: feeText(saved.fee) })
      return saved
    },
  })

  async function saveFee(body: FeeBody) {
    await save(body)
    setProposedBody(undefined)
  }

  function offerUndo(current: StoredFee, previousFee: number) {
    showUndo({
      key: 'fee',
      message: `The fee is now ${formatMoney(current.fee, currency)}.`,
      undo: async () => {
        const reply = await send({ body: { fee: previousFee }, version: current.version })
        updateCache(reply)
        continueFrom({ fee: previousFee, version: reply.version })
        update.reset()
        form.reset({ fee: feeText(previousFee) })
        return `The fee was changed back to ${formatMoney(previousFee, currency)}.`
      },
    })
  }

  const submit = form.handleSubmit(body =>
    needsConfirmation(fee, body.fee) || isBelowMinimum(body.fee, minimum)
      ? setProposedBody(body)
      : saveFee(body),
  )

  return {
    form,
    draft,
    conflict,
    submit,
    update,
    /** The fee that awaits a confirmation, in major units. */
    proposedFee: proposedBody?.fee,
    confirm: () => proposedBody && void saveFee(proposedBody),
    cancel: () => setProposedBody(undefined),
  }
}
