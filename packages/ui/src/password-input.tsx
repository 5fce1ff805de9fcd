import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { TextInput, type TextInputProps } from './text-input.tsx'

/**
 * A password field with a button that shows or hides the password. Set `autoComplete` to `current-password` or `new-password`.
 * Pasting is allowed.
 */
export function PasswordInput(props: Omit<TextInputProps, 'type' | 'trailing'>) {
  const [shown, setShown] = useState(false)
  return (
    <TextInput
      spellCheck={false}
      autoCapitalize="none"
      autoCorrect="off"
      data-secret
      {...props}
      type={shown ? 'text' : 'password'}
      trailing={
        <IconButton
          size="sm"
          icon={shown ? EyeOff : Eye}
          label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
