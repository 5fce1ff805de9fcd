import styles from './skip-link.module.css'

/** The first focusable element: skips the navigation and leads to the element whose ID is in `href`. */
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
