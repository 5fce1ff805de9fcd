import styles from './skip-link.module.css'

/** First focusable element: skips the navigation to the element with the id in `href`. */
export function SkipLink({
  href = '#main',
  children = 'Skip to main content',
}: {
  href?: string
  children?: string
}) {
  return (
    <a className={styles.link} href={href}>
      {children}
    </a>
  )
}
