import styles from './skip-link.module.css'

/** The first focusable element of a page: a link that skips the navigation and goes to the element whose ID is in `href`. */
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
