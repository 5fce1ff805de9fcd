import { LOCALE } from '@portal/format/locale'
import { useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './seal.module.css'
import { useMounted } from './use-mounted.ts'

export interface SealProps {
  /** Accessible label, e.g. 'Certificate verified'. */
  label: string
  /** Text around the rim, which is the institution's name. */
  text: string
  size?: 'sm' | 'md' | 'lg' | undefined
  /** True to play the animation that draws the seal; false for print. */
  draw?: boolean | undefined
}

const POINTS = 720

/** Returns the path of a guilloche rosette, as on banknotes: a wave with `petals` crests around a ring. */
function rosette(radius: number, depth: number, petals: number, phase: number): string {
  const path = Array.from({ length: POINTS }, (_, step) => {
    const angle = (step / POINTS) * 2 * Math.PI
    const distance = radius + depth * Math.cos(petals * angle + phase)
    return `${(100 + distance * Math.cos(angle)).toFixed(2)} ${(100 + distance * Math.sin(angle)).toFixed(2)}`
  })
  return `M${path.join('L')}Z`
}

const rings = [0, Math.PI / 2, Math.PI, (3 * Math.PI) / 2].map(phase => rosette(47, 7, 24, phase))
const edge = rosette(95.5, 1.6, 72, 0)
/** Returns a circle as a path, because HTML validators accept `pathLength` only on paths. */
const circle = (radius: number) => `M100 ${100 - radius}A${radius} ${radius} 0 1 1 99.99 ${100 - radius}Z`

/** The gold seal, which is the only thing in this colour. Its animation plays once, and not at all with reduced motion. */
export function Seal({ label, text, size = 'md', draw = true }: SealProps) {
  const rim = useId()
  // Static pages leave out the engraving, which would make up four fifths of their HTML.
  const isEngraved = useMounted()
  return (
    <svg
      viewBox="0 0 200 200"
      role="img"
      aria-label={label}
      className={classNames(styles.seal, styles[size], draw && styles.draw)}
    >
      {isEngraved && <path d={edge} pathLength="1" className={styles.line} />}
      <path d={circle(89)} pathLength="1" className={styles.line} />
      <path d={circle(61)} pathLength="1" className={styles.line} />
      {isEngraved && rings.map(ring => <path key={ring} d={ring} pathLength="1" className={styles.fine} />)}
      <path d={circle(33)} pathLength="1" className={styles.line} />
      <path d="M84 101 L96 113 L118 88" pathLength="1" className={styles.tick} />
      <path id={rim} d="M100 170.5 A70.5 70.5 0 1 1 100.01 170.5" className={styles.rim} />
      {isEngraved && (
        <text className={styles.text}>
          <textPath
            href={`#${rim}`}
            startOffset="50%"
            textLength={Math.min(410, text.length * 13)}
            lengthAdjust="spacing"
          >
            {text.toLocaleUpperCase(LOCALE)}
          </textPath>
        </text>
      )}
    </svg>
  )
}
