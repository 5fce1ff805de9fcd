import { EMBLEM_SIDE, emblemShape } from './emblem-shape.ts'

/** The default emblem, shown when the institution's logo is missing or fails to load. */
export function Emblem({ className }: { className: string | undefined }) {
  return (
    <svg
      className={className}
      viewBox={`0 0 ${EMBLEM_SIDE} ${EMBLEM_SIDE}`}
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeLinejoin="round"
    >
      {emblemShape.map(({ d, width }) => (
        <path key={d} d={d} strokeWidth={width} />
      ))}
    </svg>
  )
}
