import { EMBLEM_SIDE, emblemShape } from './emblem-shape.ts'

/** The default emblem, where the institution has no logo or it cannot be loaded. */
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
