import { accentTone, contrast, DEFAULT_ACCENT, isHex } from '@portal/format/colour'
import { initials } from '@portal/format/text'
import { Panel } from '@portal/ui/panel'
import styles from './super-settings.module.css'

/** The text and surface colours of each theme, as in the design tokens `--on-brand`, `--surface` and `--ink`. */
const themes = {
  light: { label: 'Light', onBrand: '#fdfefd', surface: '#fdfefd', ink: '#12201b' },
  dark: { label: 'Dark', onBrand: '#0a1512', surface: '#151e1b', ink: '#eaefeb' },
} as const

interface Props {
  name: string
  /** The colour as the user typed it. */
  accent: string
}

/** Preview of the accent colour on buttons and links, with its contrast. */
export function AccentPreview({ name, accent }: Props) {
  const typed = accent.trim()
  const colour = isHex(typed) ? typed : DEFAULT_ACCENT
  return (
    <Panel title="Colour preview" description="Buttons and links in both themes.">
      <ul className={styles.themes}>
        {(['light', 'dark'] as const).map(theme => {
          const { label, onBrand, surface, ink } = themes[theme]
          const tone = accentTone(colour, theme)
          return (
            <li key={theme} className={styles.theme} style={{ background: surface, color: ink }}>
              <span className={styles.mark} style={{ background: tone, color: onBrand }} aria-hidden="true">
                {initials(name)}
              </span>
              <span className={styles.sample} style={{ background: tone, color: onBrand }}>
                Verify Certificate
              </span>
              <span className={styles.figures}>
                <span style={{ color: tone }} className={styles.link}>
                  {label} {tone}
                </span>
                <span>Contrast {contrast(tone, onBrand).toFixed(1)} : 1</span>
              </span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
