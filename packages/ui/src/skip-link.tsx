import styles from './skip-link.module.css'

/** The first thing Tab reaches: jumps over the navigation to the element with the id of `href`. */
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
