import { Monitor, Moon, Sun } from 'lucide-react'
import { useId, useSyncExternalStore } from 'react'
import { Icon } from './icon.tsx'
import { chooseTheme, onThemeChange, readTheme } from './theme.ts'
import styles from './theme-switch.module.css'

const themes = [
  { id: 'system', label: 'System', icon: Monitor },
  { id: 'light', label: 'Light', icon: Sun },
  { id: 'dark', label: 'Dark', icon: Moon },
] as const

/** Lets the user choose the system's theme, the light or the dark one. The choice is saved in this browser. */
export function ThemeSwitch() {
  const name = useId()
  const theme = useSyncExternalStore(onThemeChange, readTheme, () => 'system' as const)
  return (
    <fieldset className={styles.switch}>
      <legend className={styles.legend}>Theme</legend>
      {themes.map(({ id, label, icon }) => (
        <label key={id} className={styles.option} title={label}>
          <input
            type="radio"
            name={name}
            value={id}
            checked={theme === id}
            onChange={() => chooseTheme(id)}
            className={styles.input}
          />
          <Icon icon={icon} size={16} label={label} />
        </label>
      ))}
    </fieldset>
  )
}
