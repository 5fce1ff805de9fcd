/** The default emblem, where the institution has no logo or it cannot be loaded: an open book under a rising sun. */
export function Emblem({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 96 96" aria-hidden="true" fill="none" stroke="currentColor">
      <circle cx="48" cy="48" r="46" strokeWidth="2.5" />
      <circle cx="48" cy="48" r="40.5" strokeWidth="1" />
      <path
        d="M48 68c-6.5-4.6-14.5-6.4-24-5.4V37.5c9.5-1 17.5.8 24 5.4 6.5-4.6 14.5-6.4 24-5.4v25.1c-9.5-1-17.5.8-24 5.4z"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
      <path d="M48 43v24" strokeWidth="2" />
      <path d="M30 45.5c4.3 0 8.2.8 12 2.7M30 52.5c4.3 0 8.2.8 12 2.7M66 45.5c-4.3 0-8.2.8-12 2.7M66 52.5c-4.3 0-8.2.8-12 2.7" />
      <path d="M39 33.5a9 9 0 0 1 18 0" strokeWidth="2.5" />
      <path d="M48 19.5v-4M37.5 24l-2.8-2.9M58.5 24l2.8-2.9M33 32h-4M63 32h4" strokeWidth="2" />
    </svg>
  )
}
