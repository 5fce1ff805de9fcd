import { Button } from './button.tsx'

/** Suggests the certificate number that was probably meant. Choosing it only fills in the field. */
export function Suggestion({
  number,
  onUse,
}: {
  number: string | undefined
  onUse: (number: string) => void
}) {
  return (
    <div role="status">
      {number && (
        <Button size="sm" onClick={() => onUse(number)}>
          Did you mean {number}?
        </Button>
      )}
    </div>
  )
}
