import { initials } from '@portal/format/text'
import { useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './logo.module.css'

export interface LogoProps {
  /** The institution; its initials stand in when no picture loads. */
  name: string
  /** Tried in order. `logoSources('/brand/logo')` gives png, jpg, svg. */
  sources: readonly string[]
  size?: 'sm' | 'md' | 'lg' | undefined
  /** The name stands beside it in words. */
  decorative?: boolean | undefined
}

/** The addresses a logo is looked for at, in the order they are tried. */
export function logoSources(base: string): readonly string[] {
  return ['png', 'jpg', 'svg'].map(ending => `${base}.${ending}`)
}

/** The institution's logo: png, then jpg, then svg, then its initials. */
export function Logo({ name, sources, size = 'md', decorative = false }: LogoProps) {
  const [failed, setFailed] = useState<readonly string[]>([])
  const source = sources.find(candidate => !failed.includes(candidate))
  const look = classNames(styles.logo, styles[size])
  const alt = decorative ? '' : name
  if (source !== undefined) {
    return <img className={look} src={source} alt={alt} onError={() => setFailed([...failed, source])} />
  }
  return (
    <span
      className={classNames(look, styles.initials)}
      {...(decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name })}
    >
      {initials(name)}
    </span>
  )
}

/** A person by initials; the name stands beside it in words. */
export function Avatar({ name }: { name: string }) {
  return (
    // Drawn by the style sheet, so that the letters are no part of the name of the button they stand in.
    <span aria-hidden="true" className={styles.avatar} data-initials={initials(name)} />
  )
}
