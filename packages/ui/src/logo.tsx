import { initials } from '@portal/format/text'
import { useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './logo.module.css'

export interface LogoProps {
  /** The institution's name, whose initials are shown if no image loads. */
  name: string
  /**
   * URLs of the logo in the order in which they are tried; `logoSources('/brand/logo')` returns those ending in png, jpg and
   * svg.
   */
  sources: readonly string[]
  size?: 'sm' | 'md' | 'lg' | undefined
  /** True if the name is next to the logo as text. */
  decorative?: boolean | undefined
}

/** Returns the URLs of a logo, in the order in which they are to be tried. */
export function logoSources(base: string): readonly string[] {
  return ['png', 'jpg', 'svg'].map(ending => `${base}.${ending}`)
}

/** The institution's logo as png, jpg or svg, or its initials. */
export function Logo({ name, sources, size = 'md', decorative = false }: LogoProps) {
  const [failed, setFailed] = useState<readonly string[]>([])
  const source = sources.find(candidate => !failed.includes(candidate))
  const className = classNames(styles.logo, styles[size])
  const alt = decorative ? '' : name
  if (source !== undefined) {
    return <img className={className} src={source} alt={alt} onError={() => setFailed([...failed, source])} />
  }
  return (
    <span
      className={classNames(className, styles.initials)}
      {...(decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name })}
    >
      {initials(name)}
    </span>
  )
}

/** A person's initials, for use next to the person's name. */
export function Avatar({ name }: { name: string }) {
  return (
    // CSS draws the initials, so that they are not part of the button's accessible name.
    <span aria-hidden="true" className={styles.avatar} data-initials={initials(name)} />
  )
}
