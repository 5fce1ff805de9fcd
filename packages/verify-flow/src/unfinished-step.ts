import { isCertificateNumber } from '@portal/contract/certificate-number'
import { dropDraft, onDraftsChanged, readDraft, writeDraft } from '@portal/drafts/store'
import { useEffect, useState } from 'react'
import type { FlowState } from './flow.ts'
import { currentNavigation, type PageLoad } from './history-entry.ts'

/** A verification that the user left before starting a payment. */
export interface UnfinishedStep {
  number: string
  step: 'input' | 'confirm' | 'payment'
  /** See `OpenPayment.certificateKnown`. */
  certificateKnown: boolean
}

const VERSION = 2
const draftKeyOf = (account: string) => ({ account, form: 'verify' })

/** Returns the two storages for a step: that of this tab, and that of the browser, from which any tab can offer to continue. */
function listStorages() {
  try {
    return { tab: globalThis.sessionStorage, browser: globalThis.localStorage }
  } catch {
    return { tab: undefined, browser: undefined }
  }
}

const unfinishedOf = (state: FlowState): UnfinishedStep | undefined => {
  const { step, number } = state
  if (number.trim() === '' || step === 'waiting' || step === 'result') return undefined
  return { number, step, certificateKnown: step !== 'input' && state.certificateKnown }
}

function readStep(
  account: string,
  storage: Storage | undefined,
): (UnfinishedStep & { at: number }) | undefined {
  const draft = readDraft(draftKeyOf(account), VERSION, storage)
  const { number, step, certificateKnown } = draft?.values ?? {}
  if (!draft || typeof number !== 'string') return undefined
  return {
    number,
    at: draft.at,
    step: step === 'confirm' || step === 'payment' ? step : 'input',
    certificateKnown: certificateKnown === true,
  }
}

function dropStep(account: string) {
  const { tab, browser } = listStorages()
  dropDraft(draftKeyOf(account), tab)
  dropDraft(draftKeyOf(account), browser)
}

/** Returns the step that this tab showed before it was reloaded, or before the user left the page and came back. */
export function stepBeforeReload(
  account: string,
  pageLoad: PageLoad = currentNavigation(),
): UnfinishedStep | undefined {
  if (pageLoad.type === undefined || pageLoad.type === 'navigate') return undefined
  const unfinished = readStep(account, listStorages().tab)
  return unfinished && unfinished.at < pageLoad.at ? unfinished : undefined
}

/**
 * Stores the current step for this account until the verification ends. Offers to continue a step that was left when a session
 * ended or during an earlier visit.
 */
export function useUnfinishedStep(account: string | undefined, state: FlowState) {
  const [offered, setOffered] = useState(() => {
    const unfinished = account === undefined ? undefined : readStep(account, listStorages().browser)
    return unfinished && isCertificateNumber(unfinished.number) ? unfinished : undefined
  })
  const [isStored, setStored] = useState(false)
  const unfinished = unfinishedOf(state)
  const text = unfinished && JSON.stringify(unfinished)
  useEffect(() => {
    if (account === undefined) return
    if (text) {
      const values = JSON.parse(text)
      const { tab, browser } = listStorages()
      for (const storage of [tab, browser])
        writeDraft(
          draftKeyOf(account),
          { version: VERSION, values, before: {}, label: '', searchText: '' },
          storage,
        )
      setStored(true)
      setOffered(undefined)
    } else if (isStored) {
      dropStep(account)
      setStored(false)
    }
  }, [account, text, isStored])
  useEffect(
    () =>
      onDraftsChanged(() => {
        // The step was finished or dismissed in another tab.
        if (account !== undefined && !readStep(account, listStorages().browser)) setOffered(undefined)
      }),
    [account],
  )
  return {
    offered: unfinished ? undefined : offered,
    discard: () => {
      if (account !== undefined) dropStep(account)
      setOffered(undefined)
    },
  }
}
