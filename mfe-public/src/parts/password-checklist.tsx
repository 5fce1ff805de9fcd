import { passwordRules } from '@portal/contract/fields'
import { Checklist } from '@portal/ui/checklist'

/**
 * Shows the rules of a strong password, ticked off as they are met. A special character is recommended, not required.
 */
export function PasswordChecklist({ id, password }: { id: string; password: string }) {
  const items = passwordRules.map(rule => ({ label: rule.label, done: rule.isMet(password) }))
  return <Checklist id={id} label="Password requirements" items={items} />
}

/** Advice shown next to the checklist. */
export const SPECIAL_CHARACTER_ADVICE = 'A special character such as ! or # makes it stronger.'
