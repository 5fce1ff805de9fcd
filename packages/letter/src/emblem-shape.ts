/** Side length of the square in which the emblem is drawn. */
export const EMBLEM_SIDE = 96

/** The default emblem, an open book under a rising sun, as stroked paths with their widths. */
export const emblemShape: readonly { d: string; width: number }[] = [
  { d: 'M94 48a46 46 0 1 1-92 0a46 46 0 1 1 92 0z', width: 2.5 },
  { d: 'M88.5 48a40.5 40.5 0 1 1-81 0a40.5 40.5 0 1 1 81 0z', width: 1 },
  {
    d: 'M48 68c-6.5-4.6-14.5-6.4-24-5.4V37.5c9.5-1 17.5.8 24 5.4 6.5-4.6 14.5-6.4 24-5.4v25.1c-9.5-1-17.5.8-24 5.4z',
    width: 2.5,
  },
  { d: 'M48 43v24', width: 2 },
  {
    d: 'M30 45.5c4.3 0 8.2.8 12 2.7M30 52.5c4.3 0 8.2.8 12 2.7M66 45.5c-4.3 0-8.2.8-12 2.7M66 52.5c-4.3 0-8.2.8-12 2.7',
    width: 1,
  },
  { d: 'M39 33.5a9 9 0 0 1 18 0', width: 2.5 },
  { d: 'M48 19.5v-4M37.5 24l-2.8-2.9M58.5 24l2.8-2.9M33 32h-4M63 32h4', width: 2 },
]
