import { mailHref } from '@portal/format/contact-link'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Prose } from '../../parts/prose.tsx'
import { useFee, useInstitution } from '../../parts/settings.ts'
import { SupportLines } from '../../parts/support-lines.tsx'

/** Help page: answers common questions, in the order in which they come up. */
export default function HelpPage() {
  const fee = useFee()
  const institution = useInstitution()
  return (
    <Prose
      title="Help"
      description="Help with verifying a certificate, paying the fee, tracking a payment, and checking a verification letter."
      lead="From creating an account to printing the letter. If your question is not answered here, write to us or call us."
    >
      <nav aria-label="On this page">
        <ul>
          <li>
            <a href="#account">Account and login</a>
          </li>
          <li>
            <a href="#number">The certificate number</a>
          </li>
          <li>
            <a href="#payment">Payment</a>
          </li>
          <li>
            <a href="#letter">The letter</a>
          </li>
          <li>
            <a href="#support">Contact</a>
          </li>
        </ul>
      </nav>

      <h2 id="account">Account and login</h2>
      <h3>The verification email does not arrive</h3>
      <p>
        Check the spam folder first. The link works once and expires after 24 hours. To have it sent again,
        try to <Link to={paths.homeDialog('login')}>log in</Link> with your password.
      </p>
      <h3>I forgot my password</h3>
      <p>
        Request a <Link to={paths.homeDialog('forgot-password')}>reset link</Link>. It works once and expires
        after one hour. A new password ends every other session of your account.
      </p>
      <h3>“Too many attempts”</h3>
      <p>
        After several wrong passwords the account is locked for a few minutes. The message says when to try
        again. If you are not sure of the password, resetting it is quicker.
      </p>
      <h3>Whose name goes on the letter?</h3>
      <p>
        The part of your address before the first comma is taken as your organisation’s name. Write the
        address as: company name, address line 1, line 2, city, state, country. You can change it under
        Profile Settings before you verify.
      </p>

      <h2 id="number">The certificate number</h2>
      <h3>Where do I find it?</h3>
      <p>
        It is printed on the certificate, usually near the edge or under the seal. Type it exactly as printed,
        with its slashes and hyphens. Letters are capitalised as you type.
      </p>
      <h3>The number is not found</h3>
      <p>
        Check it again, especially the letter O and the digit 0, and the letter I and the digit 1. If it
        matches the certificate, write to support with the number and a scan. “Not found” says nothing about
        the graduate: older certificates may be numbered differently.
      </p>

      <h2 id="payment">Payment</h2>
      <h3>What does it cost?</h3>
      <p>
        {fee ? `${fee} for each certificate` : 'The fee for each certificate is shown before you pay'}. The
        payment step lists the ways to pay. A certificate that you have already paid for can be opened again
        without charge.
      </p>
      <h3>The payment window does not open</h3>
      <p>
        The browser has blocked it. Allow popups for this site and press the button again. You are not charged
        twice: the same payment is continued.
      </p>
      <h3>I paid, but it still says “pending”</h3>
      <p>
        Give it a few minutes, then press Check Payment Status, or{' '}
        <Link to={paths.trackPayment()}>track the payment</Link> with the transaction ID. You can close the
        browser: we keep checking with the payment provider. Write to support if it is still pending after 30
        minutes.
      </p>
      <h3>I was charged but got no result</h3>
      <p>
        Every payment we receive ends in a result or a refund. Send support the transaction ID, which starts
        with CVF.
      </p>

      <h2 id="letter">The letter</h2>
      <h3>Printing it</h3>
      <p>
        Letters are made for A4 paper. Choose “A4” and 100% in the print dialog, and switch off the browser’s
        headers and footers. You can print a letter again at any time from your verification history.
      </p>
      <h3>Which time zone and currency are used?</h3>
      <p>
        Times are West Africa Time (WAT, one hour ahead of UTC) and amounts are Nigerian naira (₦), on every
        screen, letter and receipt.
      </p>
      <h3>Someone showed me a letter. Is it genuine?</h3>
      <p>
        Scan the code printed on it, or <Link to={paths.letter()}>type it in</Link>. The page says whether the
        letter is genuine and still valid. Compare every detail with the paper: a forged letter can carry the
        code of a genuine one. You can also check a PDF letter as a file.
      </p>
      <h3>My letter was superseded or withdrawn</h3>
      <p>
        Superseded: the certificate was corrected after the letter was issued. Your verification history has
        the corrected letter for you, free of charge. Withdrawn: the institution has withdrawn the
        certificate, and the letter with it. We email you in both cases.
      </p>
      <h3>What are the credential and the Open Badge?</h3>
      <p>
        They contain the letter’s facts in files that software can verify.{' '}
        <Link to={paths.letter('credentials')}>How it works</Link>
      </p>

      <h2 id="support">Contact</h2>
      <SupportLines />
      {institution && (
        <p>
          <a href={mailHref(institution.support_email, 'Help with certificate verification')}>
            Write to support
          </a>
        </p>
      )}
    </Prose>
  )
}
