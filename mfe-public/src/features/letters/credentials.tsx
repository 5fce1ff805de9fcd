import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Code } from '@portal/ui/mono'
import { Prose } from '../../parts/prose.tsx'
import { FileCheck } from './file-check.tsx'
import { issuerAt } from './issuer.ts'
import styles from './page.module.css'

/** The word in the address of this page, in place of a letter's code. */
export const CREDENTIALS = 'credentials'

/** Page that explains verifiable credentials, and how people and programs can check them. */
export function Credentials() {
  const issuer = issuerAt(window.location)
  return (
    <Prose
      title="Verifiable credentials"
      description="What the verifiable credential and the Open Badge that come with a verification letter are, and how to check them."
      lead="Each letter comes on paper, as a PDF, and as files that programs can verify. All of them contain the same facts."
    >
      <h2 id="what">What it is</h2>
      <p>
        A verifiable credential is a small text file, signed by the institution. It contains the same
        information as the letter: the reference, the name, the degree, the class and the dates. Changing a
        single character breaks the signature.
      </p>
      <p>
        It follows the W3C standard of that name, so an employer’s or embassy’s own system can read it without
        this website. People don’t need it: the paper letter and its code are enough.
      </p>

      <h2 id="get">How to get it</h2>
      <p>
        The holder of a letter finds <strong>Download credential</strong> next to the letter and in the
        verification history. It is also on the page that the letter’s <Link to={paths.letter()}>code</Link>{' '}
        leads to, and attached to the PDF.
      </p>

      <h2 id="badge">The Open Badge</h2>
      <p>
        <strong>Download Open Badge</strong>, in the same places, gives the facts of the letter as an Open
        Badges 3.0 credential, for wallets and systems that read that standard. It is signed with the same key
        and can be checked below in the same way. Its status shows whether a letter was withdrawn, but not
        whether a corrected letter has replaced it: open the address of the letter for that.
      </p>

      <h2 id="check">How to check it</h2>
      <p>Here, without other software. The file is checked and not stored.</p>
      <div className={styles.embedded}>
        <FileCheck />
      </div>
      <h3>With your own software</h3>
      <ol>
        <li>
          Read the file as a JWT of type <Code>vc+jwt</Code> (an Open Badge: <Code>JWT</Code>), and accept
          only the algorithm that the key below specifies; never <Code>none</Code>.
        </li>
        <li>
          Fetch the institution’s keys from one of the addresses below, choose the one whose <Code>kid</Code>{' '}
          the file names, and verify the signature.
        </li>
        <li>
          Compare the issuer in it with <Code>{issuer.did}</Code>.
        </li>
        <li>
          Check whether it is still valid: fetch the status list that it names, or open the address of the
          letter. A signature never expires, but a letter can be withdrawn.
        </li>
      </ol>
      <h3>Where the keys are</h3>
      <dl className={styles.addresses}>
        <div>
          <dt>Issuer</dt>
          <dd>
            <Code>{issuer.did}</Code>
          </dd>
        </div>
        <div>
          <dt>DID document</dt>
          <dd>
            <a href={issuer.document}>{issuer.document}</a>
          </dd>
        </div>
        <div>
          <dt>Keys as JWKS</dt>
          <dd>
            <a href={issuer.keys}>{issuer.keys}</a>
          </dd>
        </div>
        <div>
          <dt>CA certificate</dt>
          <dd>
            <a href={issuer.authority}>{issuer.authority}</a>
          </dd>
        </div>
      </dl>
      <p>Old keys stay published when new ones are added, so that letters signed with them remain valid.</p>

      <h2 id="pdf">Trusting the PDF’s signature</h2>
      <p>
        A PDF reader shows whether a letter was changed, but reports an unknown signer until it knows the
        institution. Install the <a href={issuer.authority}>institution’s CA certificate</a> in it as a
        trusted root for signatures, once: it stays the same when keys change, and cannot be used for
        websites. First compare its fingerprint with one that the institution gave you in another way.
      </p>

      <h2 id="not">What it does not prove</h2>
      <p>
        It does not prove who presents it: compare the name with the person’s passport. It contains the
        register’s data on its date; its status says whether that is still valid.
      </p>
    </Prose>
  )
}
