import { Checkbox } from '@portal/ui/checkbox'
import { type ReactNode, useState } from 'react'
import styles from './page.module.css'

interface Props {
  particulars: readonly { term: string; value: ReactNode }[]
  /** True if each of the particulars can be ticked off. */
  checkable: boolean
}

/** Lists the particulars of a letter, to be compared with the paper and ticked off. The ticks are not sent to the server. */
export function Compare({ particulars, checkable }: Props) {
  const [matching, setMatching] = useState<ReadonlySet<string>>(new Set())
  const allMatch = matching.size === particulars.length
  const toggle = (term: string, checked: boolean) => {
    const next = new Set(matching)
    if (checked) next.add(term)
    else next.delete(term)
    setMatching(next)
  }
  return (
    <>
      <dl className={styles.compare}>
        {particulars.map(({ term, value }) => (
          <div key={term} className={styles.particular} data-same={matching.has(term) || undefined}>
            <dt>{term}</dt>
            <dd>
              <span className={styles.value}>{value}</span>
              {checkable && (
                <Checkbox
                  label="Same"
                  aria-label={`${term} is the same on the letter`}
                  checked={matching.has(term)}
                  onChange={event => toggle(term, event.target.checked)}
                />
              )}
            </dd>
          </div>
        ))}
      </dl>
      {checkable && (
        <p className={styles.compared} role="status">
          {allMatch
            ? `All ${particulars.length} match: this is the letter that the institution issued.`
            : `${matching.size} of ${particulars.length} compared. If one differs, the letter was changed: do not rely on it.`}
        </p>
      )}
    </>
  )
}
