import styles from '../foundations.module.css'
import { Stack } from '../layout.tsx'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Foundations',
  title: 'Typography',
  text: 'A serif for headings, a sans for everything else, monospaced for what is compared character by character. All have the letters and tone marks of Yoruba and Igbo, and the naira sign.',
}

export function Faces() {
  return (
    <Stack>
      <p className={styles.serif} data-specimen="serif">
        Adébáyọ̀ Ọláṣẹ́ńí ₦5,000.00
      </p>
      <p data-specimen="sans">Adébáyọ̀ Ọláṣẹ́ńí paid ₦5,000.00 for Chị́dị̀ Ụzọ̀kwe’s certificate.</p>
      <p>
        <code data-specimen="mono">Adébáyọ̀ Ọláṣẹ́ńí ₦5,000.00 Chị́dị̀ Ụzọ̀kwe</code>
      </p>
    </Stack>
  )
}

export function Headings() {
  return (
    <Stack>
      <p className={styles.heading1}>Verify a certificate</p>
      <p className={styles.heading2}>Payment details</p>
      <p className={styles.heading3}>Official letter</p>
      <p>
        Text with <a href="#letter">the official letter</a>, <strong>an emphasis</strong> and{' '}
        <code>a code</code>.
      </p>
    </Stack>
  )
}
