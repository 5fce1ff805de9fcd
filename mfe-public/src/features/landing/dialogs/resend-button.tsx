import { call } from '@portal/api/call'
import { auth } from '@portal/contract/auth'
import { Button } from '@portal/ui/button'
import { useState } from 'react'
import { toErrorText } from '../../../parts/failure.ts'
import { successTexts } from '../../../parts/success-texts.ts'

/** Button that resends the verification email to an address that is not verified yet; the outcome appears next to it. */
export function ResendButton({ email }: { email: string }) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState('')

  async function resend() {
    setBusy(true)
    setOutcome('')
    try {
      const { message } = await call(auth.resendVerification, { body: { email } })
      setOutcome(message || successTexts.verificationSent)
    } catch (error) {
      setOutcome(toErrorText(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button size="sm" busy={busy} busyLabel="Sending…" onClick={resend}>
        Resend verification email
      </Button>
      <span role="status">{outcome}</span>
    </>
  )
}
