import { DEFAULT_ACCENT, isHex } from '@portal/format/colour'
import { TextInput, type TextInputProps } from '@portal/ui/text-input'
import styles from './super-settings.module.css'

interface Props extends TextInputProps {
  value: string
  onChoose: (colour: string) => void
}

/** A colour in figures, and the browser's own way to pick one. */
export function AccentField({ value, onChoose, ...input }: Props) {
  return (
    <div className={styles.colour}>
      <TextInput
        {...input}
        optional
        mono
        placeholder={DEFAULT_ACCENT}
        maxLength={20}
        spellCheck={false}
        autoComplete="off"
        help="As #RRGGBB. Any colour will do: its lightness is adjusted until text can be read. Blank is the deep green."
      />
      <input
        type="color"
        className={styles.picker}
        aria-label="Pick the accent colour"
        value={isHex(value) ? value : DEFAULT_ACCENT}
        onChange={event => onChoose(event.target.value)}
      />
    </div>
  )
}
