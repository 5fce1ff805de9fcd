import { call } from '@portal/api/call'
import { referenceOf } from '@portal/api/error'
import { auth, emailOnly } from '@portal/contract/auth'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormLayout } from '@portal/ui/form-layout'
import { TextInput } from '@portal/ui/text-input'
import { useState } from 'react'
import { failureText } from './failure.ts'
import { successTexts } from './success-texts.ts'
import { useApiForm } from './use-api-form.ts'

/** Asks for an address and emails its verification link again. The response is the same for every address. */
export function ResendVerification({ email = '' }: { email?: string }) {
  const [sent, setSent] = useState<string>()
  const { bind, submit, busy, failure } = useApiForm({
    schema: emailOnly,
    defaults: { email },
    send: async body => {
      const { message } = await call(auth.resendVerification, { body })
      setSent(message || successTexts.verificationSent)
    },
  })
  return (
    <form noValidate onSubmit={submit} aria-label="Send the verification link again">
      <FormLayout>
        <TextInput
          label="Email address"
          type="email"
          autoComplete="email"
          inputMode="email"
          help="The address you registered with."
          {...bind('email')}
        />
        {failure && (
          <Alert tone="danger" reference={referenceOf(failure)}>
            {failureText(failure)}
          </Alert>
        )}
        {sent && <Alert tone="success">{sent}</Alert>}
        <div>
          <Button type="submit" busy={busy} busyLabel="Sending…">
            Resend verification email
          </Button>
        </div>
      </FormLayout>
    </form>
  )
}
