import { zodResolver } from '@hookform/resolvers/zod'
import { call } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import type { LetterLink } from '@portal/contract/letter'
import { letterFiles } from '@portal/contract/letter-files'
import type { BodyIn, BodyOut } from '@portal/contract/route'
import { DraftNote } from '@portal/drafts/draft-note'
import { useDraft } from '@portal/drafts/use-draft'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { CertificateNumber } from '@portal/ui/mono'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'

type Route = typeof letterFiles.email
type Values = BodyIn<Route>

interface Props {
  letter: Pick<LetterLink, 'code' | 'status'>
  /** Number of the certificate to which the letter refers. */
  number: string
  onClose: () => void
}

const fields = ['email', 'message'] as const

/** Dialog that emails a link to the letter's public page, to which its QR code also links. */
export default function EmailLetter({ letter, number, onClose }: Props) {
  const formId = useId()
  const [sentMessage, setSentMessage] = useState<string | null>(null)
  const form = useForm<Values, unknown, BodyOut<Route>>({
    resolver: zodResolver(letterFiles.email.body),
    defaultValues: { email: '', message: '' },
  })
  const draft = useDraft(form, { form: 'letter-mail', version: 1, recordId: letter.code })
  const { register, handleSubmit, setError } = form
  const { errors, isSubmitting } = form.formState

  const submit = handleSubmit(async body => {
    try {
      const { message } = await call(letterFiles.email, { params: { code: letter.code }, body })
      draft.remove()
      setSentMessage(message)
    } catch (error) {
      const fieldErrors = isApiError(error) ? error.fields : {}
      for (const name of fields) {
        const message = fieldErrors[name]
        if (message) setError(name, { message }, { shouldFocus: true })
      }
      if (!fields.some(name => fieldErrors[name])) setError('root.server', { message: messageOf(error) })
    }
  })

  return (
    <Dialog
      open
      onClose={onClose}
      closable={!isSubmitting}
      title="Email to a colleague"
      description={
        <>
          They get a link to the letter for <CertificateNumber number={number} />, where they can check and
          download it. No account is needed.
        </>
      }
      footer={
        sentMessage === null ? (
          <>
            <Button
              onClick={() => {
                draft.remove()
                onClose()
              }}
              disabled={isSubmitting}
            >
              Cancel
            </Button>
            <Button variant="primary" type="submit" form={formId} busy={isSubmitting} busyLabel="Sending…">
              Send
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        )
      }
    >
      {sentMessage === null ? (
        <form id={formId} onSubmit={submit} noValidate>
          <FormLayout>
            <DraftNote draft={draft} />
            {letter.status !== 'valid' && (
              <Alert tone="warning" silent>
                This letter is no longer valid, and its page shows that to everyone who opens it.
              </Alert>
            )}
            <TextInput
              label="Email address"
              type="email"
              inputMode="email"
              autoComplete="off"
              spellCheck={false}
              error={errors.email?.message}
              {...register('email')}
            />
            <TextArea
              label="Message"
              optional
              rows={3}
              help="At most 500 characters, no web addresses."
              error={errors.message?.message}
              {...register('message')}
            />
            {errors.root?.server && <Alert tone="danger">{errors.root.server.message}</Alert>}
          </FormLayout>
        </form>
      ) : (
        <Alert tone="success" title="Sent">
          {sentMessage}
        </Alert>
      )}
    </Dialog>
  )
}
