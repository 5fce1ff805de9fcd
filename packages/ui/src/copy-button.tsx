import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface CopyButtonProps {
  /** The text that is copied to the clipboard. */
  text: string
  /** Accessible label, e.g. 'Copy transaction ID'. */
  label?: string | undefined
  /** True to show only the icon. */
  compact?: boolean | undefined
}

/**
 * Copies text and confirms that it did. If the clipboard is blocked, it shows a message, and the text can still be selected.
 */
export function CopyButton({ text, label = 'Copy', compact = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'' | 'Copied' | 'Copying is blocked. Select the text instead.'>('')

  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(''), 2500)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('Copied')
    } catch {
      setOutcome('Copying is blocked. Select the text instead.')
    }
  }

  const icon = outcome === 'Copied' ? Check : Copy
  return (
    <>
      {compact ? (
        <IconButton size="sm" icon={icon} label={label} title={outcome || label} onClick={copy} />
      ) : (
        <Button size="sm" icon={icon} onClick={copy}>
          {outcome || label}
        </Button>
      )}
      <span role="status">
        <VisuallyHidden>{outcome}</VisuallyHidden>
      </span>
    </>
  )
}
