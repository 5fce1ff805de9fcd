import { call } from '@portal/api/call'
import { referenceOf } from '@portal/api/error'
import { auth } from '@portal/contract/auth'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout, FormRow } from '@portal/ui/form-layout'
import { PasswordInput } from '@portal/ui/password-input'
import { TextArea } from '@portal/ui/text-area'
import { TextInput } from '@portal/ui/text-input'
import { useId, useState } from 'react'
import { CapturedMail } from '../../../parts/captured-mail.tsx'
import { useCountdown } from '../../../parts/countdown.ts'
import { failureText } from '../../../parts/failure.ts'
import { PasswordChecklist, SPECIAL_CHARACTER_ADVICE } from '../../../parts/password-checklist.tsx'
import { persistRegisteredAddress } from '../../../parts/registered-address.ts'
import { successTexts } from '../../../parts/success-texts.ts'
import { useApiForm } from '../../../parts/use-api-form.ts'
import styles from './dialogs.module.css'
import { type RegisterForm, registerSchema, toRegistration } from './register-schema.ts'

const CLOSE_SECONDS = 3

const blank: RegisterForm = {
  firstname: '',
  middlename: '',
  lastname: '',
  email: '',
  phone: '',
  address: '',
  password: '',
  confirmPassword: '',
}

interface Props {
  /** The email address to fill in, for example of an invited person. */
  email: string
  /** Called with the message to show on the page after the dialog has closed, and the address to which the link was sent. */
  onClose: (notice?: string, email?: string) => void
  onLogin: () => void
}

/** Registration dialog. On success it shows the server's message and closes after three seconds. */
export function RegisterDialog({ email, onClose, onLogin }: Props) {
  const [done, setDone] = useState<SentLink>()
  if (done) return <RegistrationDone {...done} onClose={() => onClose(done.message, done.email)} />
  return (
    <Dialog
      open
      onClose={() => onClose()}
      title="Create Your Account"
      description="For employers, institutions and anyone else who needs a certificate confirmed. Colleagues can then share an organisation, if the institution offers it."
      size="lg"
    >
      <RegisterFields email={email} onDone={setDone} />
      <p className={styles.other}>
        Already registered?{' '}
        <button type="button" className={styles.textButton} onClick={onLogin}>
          Log in
        </button>
      </p>
    </Dialog>
  )
}

/** The result of a registration: the server's message, and the address to which the link was sent. */
interface SentLink {
  message: string
  email: string
}

function RegistrationDone({ message, email, onClose }: SentLink & { onClose: () => void }) {
  const secondsLeft = useCountdown(CLOSE_SECONDS, true, onClose)
  return (
    <Dialog open onClose={onClose} title="Create Your Account" size="sm">
      <FormLayout>
        <Alert tone="success" title="Almost there">
          <p>{message}</p>
          <p>
            The link was sent to <bdi className={styles.address}>{email}</bdi>. <CapturedMail email={email} />
          </p>
        </Alert>
        <Button variant="primary" block data-autofocus onClick={onClose}>
          Close
        </Button>
        <p className={styles.other}>
          <span aria-hidden="true">Closes in {secondsLeft} s.</span>
        </p>
      </FormLayout>
    </Dialog>
  )
}

function RegisterFields({ email, onDone }: { email: string; onDone: (done: SentLink) => void }) {
  const checklistId = useId()
  const { form, bind, submit, busy, failure } = useApiForm({
    schema: registerSchema,
    defaults: { ...blank, email },
    send: async values => {
      const { message } = await call(auth.register, { body: toRegistration(values) })
      persistRegisteredAddress(values.email)
      onDone({ message: message || successTexts.registered, email: values.email })
    },
  })
  return (
    <form noValidate onSubmit={submit}>
      <FormLayout>
        <FormRow>
          <TextInput label="First name" autoComplete="given-name" {...bind('firstname')} />
          <TextInput label="Middle name" optional autoComplete="additional-name" {...bind('middlename')} />
          <TextInput label="Last name" autoComplete="family-name" {...bind('lastname')} />
        </FormRow>
        <FormRow>
          <TextInput
            label="Email"
            type="email"
            autoComplete="email"
            inputMode="email"
            help="We’ll email a link to confirm it."
            {...bind('email')}
          />
          <TextInput
            label="Phone number"
            type="tel"
            autoComplete="tel"
            inputMode="tel"
            help={'Nigerian or international, e.g. 0803\u00a0123\u00a04567.'}
            {...bind('phone')}
          />
        </FormRow>
        <TextArea
          label="Address"
          autoComplete="street-address"
          rows={2}
          className={styles.low}
          help="Company name, address line 1, line 2, city, state, country. The part before the first comma is the company name on your letters."
          {...bind('address')}
        />
        <FormRow>
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            aria-describedby={checklistId}
            {...bind('password', 'confirmPassword')}
          />
          <PasswordInput label="Confirm password" autoComplete="new-password" {...bind('confirmPassword')} />
        </FormRow>
        <div className={styles.rules}>
          <PasswordChecklist id={checklistId} password={form.watch('password')} />
          <p className={styles.hint}>{SPECIAL_CHARACTER_ADVICE}</p>
        </div>
        {failure && (
          <Alert tone="danger" reference={referenceOf(failure)}>
            {failureText(failure)}
          </Alert>
        )}
        <p className={styles.hint}>
          By creating an account you accept the <Link to={paths.terms()}>terms of use</Link>. Read how your
          data is used under <Link to={paths.privacy()}>privacy</Link>.
        </p>
        <div className={styles.submit}>
          <Button
            type="submit"
            variant="primary"
            size="lg"
            block
            busy={busy}
            busyLabel="Creating your account…"
          >
            Create Account
          </Button>
        </div>
      </FormLayout>
    </form>
  )
}
