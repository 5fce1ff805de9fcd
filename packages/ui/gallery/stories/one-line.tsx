import { OneLine } from '@portal/ui/one-line'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import styles from '../foundations.module.css'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Foundations',
  title: 'Text',
  text: 'Text that takes one line in the columns of a table, and text for screen readers only.',
}

export function OnOneLine() {
  return (
    <div className={styles.wide}>
      <table className={styles.column}>
        <tbody>
          <tr>
            <td>
              <OneLine text="Second Class Honours (Upper Division)" />
            </td>
          </tr>
          <tr>
            <td>
              <OneLine text="adebayo.olaseni@registry.example.edu.ng" anywhere />
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}

export function ForScreenReaders() {
  return (
    <p>
      Paid<VisuallyHidden>, on January 31, 2026</VisuallyHidden>
    </p>
  )
}
