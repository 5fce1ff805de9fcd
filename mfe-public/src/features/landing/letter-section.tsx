import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useInstitution } from '../../parts/settings.ts'
import styles from './letter-section.module.css'

const SpecimenLetter = lazy(() => import('./specimen-letter.tsx'))

/** Section that shows a specimen letter, drawn by the same component as real letters. */
export function LetterSection() {
  const institution = useInstitution()
  const [sheet, isNear] = useNearViewport<HTMLElement>()
  return (
    <section className={styles.band} aria-labelledby="letter-title">
      <div className={styles.inner}>
        <div>
          <h2 id="letter-title">What the letter looks like</h2>
          <p className={styles.lead}>
            One page, ready to file: the details in the register, your address, and a code that anyone can
            scan.
          </p>
          <ol className={styles.points}>
            <li>
              <strong>Letterhead and reference.</strong> Every letter has its own number and its date of
              issue.
            </li>
            <li>
              <strong>Your organisation.</strong> The letter is addressed to you, with the name and address
              from your account.
            </li>
            <li>
              <strong>The particulars.</strong> Name, degree, class and date as in the register.
            </li>
            <li>
              <strong>Signature and stamp.</strong> By the officer responsible for the register.
            </li>
            <li>
              <strong>A code to check it.</strong> Issued letters carry a code that anyone can scan to see
              whether the letter is still valid. A specimen has none.
            </li>
          </ol>
        </div>
        <figure ref={sheet} className={styles.figure}>
          <div className={styles.sheet}>
            {isNear && (
              <Suspense fallback={null}>
                <SpecimenLetter institution={institution} />
              </Suspense>
            )}
          </div>
          <figcaption className={styles.caption}>A specimen: it does not verify a certificate.</figcaption>
        </figure>
      </div>
    </section>
  )
}

/**
 * Returns a ref for an element, and whether the element has come within 20% of the viewport's height of being visible. It stays
 * true once it has.
 */
function useNearViewport<E extends Element>() {
  const ref = useRef<E>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: '20% 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, isNear] as const
}
