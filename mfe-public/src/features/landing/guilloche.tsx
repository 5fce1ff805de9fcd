const PETALS = 36
const rotations = Array.from({ length: PETALS }, (_, index) => (index * 180) / PETALS)

/** The fine line pattern of security paper, drawn from one rotated ellipse; purely decorative. */
export function Guilloche({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="-100 -100 200 200" aria-hidden="true" focusable="false">
      {rotations.map(angle => (
        <ellipse key={angle} rx="98" ry="34" transform={`rotate(${angle})`} />
      ))}
    </svg>
  )
}
