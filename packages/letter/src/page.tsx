import type { VerificationTemplate } from '@portal/contract/letter'
import { useMemo, useRef, useState } from 'react'
import { groupLetterCode, type PrintedLink, SPECIMEN, typedAddress } from './code.ts'
import { Emblem } from './emblem.tsx'
import { useFitOnPage } from './fit-on-page.ts'
import styles from './page.module.css'
import { PRINT_ATTRIBUTE } from './print.ts'
import { buildQrPath } from './qr.ts'

interface LetterPageProps {
  template: VerificationTemplate
  /** Code and address for checking the letter, shown with a QR code in the footer. If omitted, there is no footer. */
  letter?: PrintedLink | null | undefined
  /** Makes the browser print only this letter. At most one letter per page may set it. */
  printable?: boolean
}

/**
 * The official letter as an A4 sheet that is scaled to its container. The proportions are the same at every size, so no text
 * moves when it is enlarged or printed.
 */
export function LetterPage({ template, letter, printable = false }: LetterPageProps) {
  const sheet = useRef<HTMLElement>(null)
  const spacer = useRef<HTMLDivElement>(null)
  useFitOnPage(sheet, spacer)
  const { content, header, recipient } = template
  const details = content.certificate_details
  const watermark = letter && watermarkOf(letter)
  return (
    <div className={styles.frame}>
      <article
        ref={sheet}
        className={styles.sheet}
        aria-label="Verification letter"
        lang="en"
        {...(printable ? { [PRINT_ATTRIBUTE]: '' } : {})}
      >
        <header className={styles.letterhead}>
          <Logo src={template.assets?.logo} />
          <div>
            <p className={styles.institution}>{header.institution}</p>
            <p className={styles.office}>{header.address}</p>
          </div>
        </header>

        <div className={styles.reference}>
          <p>
            <span className={styles.label}>Our ref:</span> {header.ref_number}
          </p>
          <p>{header.date}</p>
        </div>

        <address className={styles.recipient}>
          <span className={styles.company}>{recipient.company}</span>
          {recipient.address.map((line, index) => (
            // Address lines can repeat and are static.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <span key={index}>{line}</span>
          ))}
        </address>

        <p className={styles.salutation}>Dear Sir/Madam,</p>
        <p className={styles.subject}>{template.subject}</p>
        <p className={styles.prose}>{content.opening}</p>

        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">S/N</th>
              <th scope="col">Name</th>
              <th scope="col">Degree</th>
              <th scope="col">Class</th>
              <th scope="col">Date</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>{details.sn}</td>
              <td>{details.name}</td>
              <td>{details.degree}</td>
              <td>{details.class}</td>
              <td>{details.date}</td>
            </tr>
          </tbody>
        </table>

        <p className={styles.prose}>{content.closing}</p>
        <p className={styles.prose}>{content.thanks}</p>

        <div ref={spacer} className={styles.spacer} />
        <SignatureBlock signature={template.signature} />
        {letter && <VerificationFooter letter={letter} />}
        {watermark && <p className={styles.void}>{watermark}</p>}
      </article>
    </div>
  )
}

/** Returns the watermark of a letter that is not valid; undefined for a valid letter. */
const watermarkOf = ({ code, status }: PrintedLink): string | undefined =>
  code === SPECIMEN
    ? 'Specimen'
    : { valid: undefined, withdrawn: 'Withdrawn', superseded: 'Superseded' }[status]

/** Returns `src`, or null if there is no image or it failed to load, so that the caller can show something else. */
function useImage(src: string | null | undefined) {
  const [broken, setBroken] = useState<string>()
  return { src: src && src !== broken ? src : null, onError: () => setBroken(src ?? undefined) }
}

function Logo({ src }: { src: string | null | undefined }) {
  const image = useImage(src)
  if (image.src === null) return <Emblem className={styles.logo} />
  return <img className={styles.logo} src={image.src} alt="" onError={image.onError} />
}

function SignatureBlock({ signature }: { signature: VerificationTemplate['signature'] }) {
  const signatureImage = useImage(signature.signature_image)
  const stamp = useImage(signature.stamp_image)
  return (
    <div className={styles.signing}>
      <div>
        <p>Yours faithfully,</p>
        <div className={styles.signature}>
          {signatureImage.src !== null && (
            <img src={signatureImage.src} alt="Signature" onError={signatureImage.onError} />
          )}
        </div>
        <p className={styles.signer}>{signature.name}</p>
        <p>{signature.title}</p>
        {signature.for && <p>For: {signature.for}</p>}
        {signature.email && <p className={styles.small}>{signature.email}</p>}
      </div>
      {stamp.src !== null ? (
        <img className={styles.stampImage} src={stamp.src} alt="Official stamp" onError={stamp.onError} />
      ) : (
        <p className={styles.stamp}>OFFICIAL STAMP</p>
      )}
    </div>
  )
}

function VerificationFooter({ letter }: { letter: PrintedLink }) {
  const { path, side } = useMemo(() => buildQrPath(letter.url), [letter.url])
  return (
    <footer className={styles.check}>
      <svg
        className={styles.qr}
        viewBox={`0 0 ${side} ${side}`}
        role="img"
        aria-label="QR code to check this letter"
      >
        <path d={path} fill="currentColor" shapeRendering="crispEdges" />
      </svg>
      <div>
        <p className={styles.checkTitle}>Is this letter genuine?</p>
        <p>
          Scan the code, or go to{' '}
          <span className={styles.typed}>{typedAddress(letter.url, letter.code)}</span> and enter
        </p>
        <p className={styles.code}>{groupLetterCode(letter.code)}</p>
      </div>
    </footer>
  )
}
