import { useEffect } from 'react'
import { About } from './about.tsx'
import { Contact } from './contact.tsx'
import { Features } from './features.tsx'
import { LetterSection } from './letter-section.tsx'
import styles from './sections.module.css'
import { Steps } from './steps.tsx'

/** All sections below the hero. */
export function Sections() {
  // The URL may contain the anchor of a section that has just been rendered. On a static page, the browser has already scrolled
  // to the section.
  useEffect(() => {
    const anchor = window.location.hash.slice(1)
    if (anchor && !document.querySelector('[data-release]'))
      document.getElementById(anchor)?.scrollIntoView({ behavior: 'instant' })
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
