import { useEffect } from 'react'
import { About } from './about.tsx'
import { Contact } from './contact.tsx'
import { Features } from './features.tsx'
import { LetterSection } from './letter-section.tsx'
import styles from './sections.module.css'
import { Steps } from './steps.tsx'

/** Everything below the hero, in a separate chunk. */
export default function Sections() {
  // An address with an anchor was opened before its section was loaded.
  useEffect(() => {
    const anchor = window.location.hash.slice(1)
    if (anchor) document.getElementById(anchor)?.scrollIntoView({ behavior: 'instant' })
  }, [])
  return (
    <>
      <div className={styles.wide}>
        <Steps />
      </div>
      <LetterSection />
      <div className={styles.wide}>
        <About />
        <Features />
        <Contact />
      </div>
    </>
  )
}
