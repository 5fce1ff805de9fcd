import { DEFAULT_ACCENT, isHex } from '@portal/format/colour'
import { TextInput, type TextInputProps } from '@portal/ui/text-input'
import styles from './super-settings.module.css'

interface Props extends TextInputProps {
  value: string
  onChoose: (colour: string) => void
}

/** Colour field with a hex value and the browser's colour picker. */
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
        help="As #RRGGBB. The lightness is adjusted so that text stays readable. Leave blank for the default deep green."
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
