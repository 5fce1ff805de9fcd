import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Code } from '@portal/ui/mono'
import { Prose } from '../../parts/prose.tsx'
import { FileCheck } from './file-check.tsx'
import { issuerAt } from './issuer.ts'
import styles from './page.module.css'

/** Stands in the address where a letter's code would. */
export const CREDENTIALS = 'credentials'

/** What the verifiable credential beside each letter is, in plain words, and how people and programs check it. */
export function Credentials() {
  const issuer = issuerAt(window.location)
  return (
    <Prose
      title="Verifiable credentials"
      description="What the verifiable credential that comes with a verification letter is, and how to check it."
      lead="Each letter comes in three forms that say the same: on paper, as PDF, and as a file that programs can check by themselves."
    >
      <h2 id="what">What it is</h2>
      <p>
        A verifiable credential is a small text file, signed by the institution. It holds what the letter
        says: the reference, the name, the degree, the class and the dates. Whoever changes one character of
        it breaks the signature.
      </p>
      <p>
        It is the W3C’s standard of that name, so that an employer’s or an embassy’s own system can read it
        without this website. People do not need it: the paper and its code are enough.
      </p>

      <h2 id="get">How to get it</h2>
      <p>
        The holder of a letter finds <em>Download credential</em> beside the letter and in the verification
        history. It is also on the page that the letter’s <Link to={paths.letter()}>code</Link> leads to, and
        attached to the PDF.
      </p>

      <h2 id="check">How to check it</h2>
      <p>Here, without any program. The file is looked at and not kept.</p>
      <div className={styles.embedded}>
        <FileCheck />
      </div>
      <h3>With a program of your own</h3>
      <ol>
        <li>
          Read the file as a JWT of type <Code>vc+jwt</Code>, and accept only the algorithm that the key below
          names; never <Code>none</Code>.
        </li>
        <li>
          Fetch the institution’s keys from one of the addresses below, take the one whose <Code>kid</Code>{' '}
          the file names, and verify the signature.
        </li>
        <li>
          Compare the issuer in it with <Code>{issuer.did}</Code>.
        </li>
        <li>
          Ask whether it still stands: fetch the status list that it names, or open the address of the letter.
          A signature stays right for ever; a letter may be withdrawn.
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
      </dl>
      <p>Old keys stay there when new ones come, so that letters signed with them remain valid.</p>

      <h2 id="not">What it does not say</h2>
      <p>
        It does not say who shows it to you: compare the name with the person’s passport. And it says what was
        on record on its day; whether that still holds, its status says.
      </p>
    </Prose>
  )
}
