import styles from './skip-link.module.css'

/**
 * A link that skips the navigation, to the element whose ID is in `href`. It must be the first focusable element of the page.
 */
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
