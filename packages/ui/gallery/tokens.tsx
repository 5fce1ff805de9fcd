import { contrast } from '@portal/format/colour'
import { Panel } from '@portal/ui/panel'
import { onThemeChange } from '@portal/ui/theme'
import { type CSSProperties, useEffect, useState } from 'react'
import styles from './gallery.module.css'

/** Colours that are used together, and the contrast that WCAG 2.2 requires: 4.5 for text, 3 for borders and marks. */
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

const texts = 'xs sm md base lg xl title 2xl 3xl 4xl'.split(' ')
const spaces = '1 2 3 4 5 6 8 10 12 16 24'.split(' ')
const shapes = 'radius-sm radius-md radius-lg radius-full'.split(' ')
const times = 'fast calm'.split(' ')

const tokenValue = (token: string) => getComputedStyle(document.body).getPropertyValue(`--${token}`)

/** Draws a colour, because canvas converts every notation to the bytes of the screen. */
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

/** Renders again when the theme changes, here or in the system. */
function useTheme(): void {
  const [, count] = useState(0)
  useEffect(() => {
    const again = () => count(before => before + 1)
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', again)
    const end = onThemeChange(again)
    return () => {
      system.removeEventListener('change', again)
      end()
    }
  }, [])
}

/** The tokens of tokens.css: colours with their contrast, type, space, shape and motion. */
export function Tokens() {
  useTheme()
  return (
    <>
      <Panel title="Colours" variant="plain" description="Each pair that is used, with its contrast.">
        <ul className={styles.swatches}>
          {pairs.map(([colour, background, needed]) => {
            const ratio = contrast(hexOf(colour), hexOf(background))
            const look = { '--colour': `var(--${colour})`, '--on': `var(--${background})` } as CSSProperties
            return (
              <li key={`${colour} ${background}`}>
                <span className={styles.swatch} style={look} data-mark={needed < 4.5 || undefined}>
                  {needed < 4.5 ? '' : 'Aa'}
                </span>
                <span>
                  {colour} on {background}
                </span>
                <span data-contrast={ratio >= needed ? 'enough' : 'low'}>
                  {ratio.toFixed(1)} of {needed}
                </span>
              </li>
            )
          })}
        </ul>
      </Panel>
      <Panel title="Type" variant="plain">
        <ul className={styles.scale}>
          {texts.map(size => (
            <li key={size}>
              <code>{size}</code>
              <span style={{ fontSize: `var(--text-${size})`, lineHeight: 1.2 }}>Ìmọ́lẹ̀ University</span>
            </li>
          ))}
        </ul>
      </Panel>
      <div className={styles.columns}>
        <Panel title="Space" level={3} variant="plain">
          <ul className={styles.scale}>
            {spaces.map(space => (
              <li key={space}>
                <code>
                  {space}: {tokenValue(`space-${space}`)}
                </code>
                <span className={styles.length} style={{ inlineSize: `var(--space-${space})` }} />
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="Shape and motion" level={3} variant="plain">
          <ul className={styles.scale}>
            {shapes.map(shape => (
              <li key={shape}>
                <code>
                  {shape}: {tokenValue(shape)}
                </code>
                <span className={styles.shape} style={{ borderRadius: `var(--${shape})` }} />
              </li>
            ))}
            <li>
              <code>elevation</code>
              <span className={styles.shape} style={{ boxShadow: 'var(--elevation)' }} />
            </li>
            {times.map(time => (
              <li key={time} className={styles.moves}>
                <code>
                  {time}: {tokenValue(time)}, on hover
                </code>
                <span className={styles.length} style={{ transitionDuration: `var(--${time})` }} />
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </>
  )
}
