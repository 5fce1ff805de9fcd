import { contrast } from '@portal/format/colour'
import { onThemeChange } from '@portal/ui/theme'
import { type CSSProperties, useEffect, useState } from 'react'
import styles from '../foundations.module.css'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Foundations',
  title: 'Colours',
  text: 'Colours that are used together, in both themes. An institution sets only its brand colour; every tone derived from it keeps its contrast.',
}

/**
 * Pairs of colours that are used together, with the contrast that WCAG 2.2 requires: 4.5 for text, 3 for borders and graphics.
 */
const pairs: readonly [colour: string, background: string, needed: number][] = [
  ...['paper', 'surface', 'sunken'].flatMap(background =>
    ['ink', 'ink-muted', 'brand-ink'].map((colour): [string, string, number] => [colour, background, 4.5]),
  ),
  ['on-brand', 'brand-solid', 4.5],
  ['brand-ink', 'brand-wash', 4.5],
  ...['success', 'warning', 'danger', 'info', 'neutral'].map((tone): [string, string, number] => [
    tone,
    `${tone}-wash`,
    4.5,
  ]),
  ['line-strong', 'surface', 3],
  ['focus', 'paper', 3],
  ['gold', 'surface', 3],
]

/** Returns a colour token as hex. It is painted on a canvas, which converts any CSS notation to RGB bytes. */
function hexOf(token: string): string {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = `var(--${token})`
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.fillStyle = getComputedStyle(probe).color
  context?.fillRect(0, 0, 1, 1)
  probe.remove()
  const bytes = [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
  return `#${bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Renders the component again when the theme changes, in the portal or in the system. */
function useRerenderOnThemeChange(): void {
  const [, setRenders] = useState(0)
  useEffect(() => {
    const rerender = () => setRenders(renders => renders + 1)
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', rerender)
    const unsubscribe = onThemeChange(rerender)
    return () => {
      system.removeEventListener('change', rerender)
      unsubscribe()
    }
  }, [])
}

export function Pairs() {
  useRerenderOnThemeChange()
  return (
    <ul className={styles.swatches}>
      {pairs.map(([colour, background, needed]) => {
        const ratio = contrast(hexOf(colour), hexOf(background))
        const colours = { '--colour': `var(--${colour})`, '--on': `var(--${background})` } as CSSProperties
        return (
          <li key={`${colour} ${background}`}>
            <span className={styles.swatch} style={colours} data-mark={needed < 4.5 || undefined}>
              {needed < 4.5 ? '' : 'Aa'}
            </span>
            <span>
              {colour} on {background}
            </span>
            <span data-contrast={ratio >= needed ? 'enough' : 'low'}>
              {ratio.toFixed(1)} (minimum {needed})
            </span>
          </li>
        )
      })}
    </ul>
  )
}
