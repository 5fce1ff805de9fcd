import { Prose } from '../../parts/prose.tsx'

/** The terms of use, in plain language. */
export default function TermsPage() {
  return (
    <Prose
      title="Terms of use"
      description="What the certificate verification service promises, what it asks of you, and what happens to the fee."
      lead="By creating an account or paying for a verification you accept these terms. They are short on purpose."
    >
      <h2>What the service is</h2>
      <p>
        You give a certificate number; the service shows whether that number is in the university’s register
        and, if so, what the register says about it. It answers from the record as it is at that moment, and
        makes no other judgement about a person.
      </p>
      <h2>Your account</h2>
      <ul>
        <li>Register with your own name, a working email address and the address of your organisation.</li>
        <li>Keep your password to yourself. You are responsible for what is done with your account.</li>
        <li>We may disable an account that is used to guess numbers, to resell data or to harm others.</li>
      </ul>
      <h2>The fee</h2>
      <ul>
        <li>The fee is shown before you pay. The fee in force when you start a payment applies to it.</li>
        <li>You pay on the payment provider’s page. We never see or store your card or account details.</li>
        <li>Opening a certificate that you have already verified costs nothing.</li>
        <li>
          If we receive a payment and cannot deliver, or receive it twice, we refund it. Give support the
          transaction ID if you think this happened.
        </li>
      </ul>
      <h2>The letter</h2>
      <ul>
        <li>
          The verification letter is addressed to you and may be shown to people affected by your decision.
        </li>
        <li>
          It must not be altered. Anyone can use its code to check whether it is genuine and still valid.
        </li>
        <li>A letter can be withdrawn if the record turns out to be wrong; its code then shows this.</li>
      </ul>
      <h2>What “not found” means</h2>
      <p>
        It means that the number as typed is not in the register. It does not mean that a certificate is
        false. Check the number, and ask support before you draw conclusions about a person.
      </p>
      <h2>Limits</h2>
      <p>
        We work to keep the service correct and available, but cannot promise that it is never interrupted.
        Nothing here takes away rights that the law gives you.
      </p>
    </Prose>
  )
}
