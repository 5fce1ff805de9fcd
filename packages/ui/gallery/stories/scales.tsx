import styles from '../foundations.module.css'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Foundations',
  title: 'Scales',
  text: 'Sizes of text, space, shape and motion, as custom properties of tokens.css.',
}

const texts = 'xs sm md base lg xl title 2xl 3xl 4xl'.split(' ')
const spaces = '1 2 3 4 5 6 8 10 12 16 24'.split(' ')
const shapes = 'radius-sm radius-md radius-lg radius-full'.split(' ')
const times = 'fast calm'.split(' ')

const tokenValue = (token: string) => getComputedStyle(document.body).getPropertyValue(`--${token}`)

export function Type() {
  return (
    <ul className={styles.scale}>
      {texts.map(size => (
        <li key={size}>
          <code>{size}</code>
          <span style={{ fontSize: `var(--text-${size})`, lineHeight: 1.2 }}>Ìmọ́lẹ̀ University</span>
        </li>
      ))}
    </ul>
  )
}

export function Space() {
  return (
    <ul className={styles.scale}>
      {spaces.map(space => (
        <li key={space}>
          <code>
            {space}: {tokenValue(`space-${space}`)}
          </code>
          <span className={styles.length} style={{ inlineSize: `var(--space-${space})` }} />
        </li>
      ))}
    </ul>
  )
}

export function Shape() {
  return (
    <ul className={styles.scale}>
      {shapes.map(shape => (
        <li key={shape}>
          <code>
            {shape}: {tokenValue(shape)}
          </code>
          <span className={styles.shape} style={{ borderRadius: `var(--${shape})` }} />
        </li>
      ))}
      <li>
        <code>elevation</code>
        <span className={styles.shape} style={{ boxShadow: 'var(--elevation)' }} />
      </li>
    </ul>
  )
}

export function Motion() {
  return (
    <ul className={styles.scale}>
      {times.map(time => (
        <li key={time} className={styles.moves}>
          <code>
            {time}: {tokenValue(time)}, on hover
          </code>
          <span className={styles.length} style={{ transitionDuration: `var(--${time})` }} />
        </li>
      ))}
    </ul>
  )
}
