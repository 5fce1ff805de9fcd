import { Prose } from '../../parts/prose.tsx'

/** The privacy notice: which data is stored, why, and who sees it. */
export default function PrivacyPage() {
  return (
    <Prose
      title="Privacy"
      description="What the certificate verification service keeps about you and about graduates, why, and what you can ask for."
      lead="What we keep, why we keep it, and who sees it."
    >
      <h2>About you, the requester</h2>
      <ul>
        <li>
          Your name, email address, phone number and the address you registered with: to address letters and
          to reach you.
        </li>
        <li>Your password, only as a salted hash from which it cannot be recovered.</li>
        <li>
          Your verifications and payments: so that you can print a letter again and we can account for the
          money.
        </li>
        <li>A log of activity in your account, with the IP address: to detect misuse.</li>
      </ul>
      <h2>About graduates</h2>
      <p>
        The register holds the name, course, grade, graduation date and certificate number. Before a
        verification is paid for, only the number that you typed is shown. We limit how many numbers anyone
        can guess.
      </p>
      <h2>About payments</h2>
      <p>
        Payment details are entered on the payment provider’s page and stay there. The provider sends us a
        reference, the amount and whether the payment succeeded. Anyone who knows a transaction ID can track
        that payment, so treat the ID as you would a receipt.
      </p>
      <h2>In your browser</h2>
      <p>When you log in, your browser stores:</p>
      <ul>
        <li>The session and your name, email address and role, until you log out or the session ends.</li>
        <li>
          A payment in progress for one day, and unsent form input or a number to verify for at most three
          days, so that nothing is lost when a session ends. Passwords are never kept, and logging out deletes
          all of it.
        </li>
        <li>Your theme and whether the sidebar is collapsed.</li>
        <li>
          A cookie that remembers for a year that you have logged in from this browser, so that other people’s
          wrong passwords can’t lock you out.
        </li>
      </ul>
      <p>
        While a new version of the public pages is tested, another cookie holds a random number for a month,
        so that you keep seeing the same version. There are no advertising or tracking cookies.
      </p>
      <p>
        For each session we store the browser, operating system and IP address, so that you can see where you
        are logged in. They are deleted with the session.
      </p>
      <h2>Who else sees it</h2>
      <p>
        The institution’s staff, as far as their work requires; the payment provider, for your payments; our
        email service, for the emails we send you. No one else, unless the law obliges us.
      </p>
      <h2>What you can ask for</h2>
      <p>
        Under Profile Settings you can correct your details, download all your data, and have your account
        erased. If you cannot log in, ask support. Records of payments and issued letters are kept as long as
        the law and the validity of the letter require.
      </p>
    </Prose>
  )
}
