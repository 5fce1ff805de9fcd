import { Status } from '@portal/ui/badge'
import { Icon } from '@portal/ui/icon'
import { BadgeCheck, Banknote, Building2, type LucideIcon, PanelsTopLeft, UserRound } from 'lucide-react'
import styles from './quick-search.module.css'
import type { ResultGroup, SearchResult } from './results.ts'

const icons: Record<ResultGroup['name'], LucideIcon> = {
  Certificates: BadgeCheck,
  Users: UserRound,
  Organisations: Building2,
  Transactions: Banknote,
  Screens: PanelsTopLeft,
}

interface Props {
  /** Prefix of the IDs of the list and its options: `{id}-list`, `{id}-0`. */
  id: string
  groups: readonly ResultGroup[]
  active: SearchResult | undefined
  onOpen: (result: SearchResult) => void
  onHover: (result: SearchResult) => void
}

/** Listbox of the quick search. Options never take the focus; the field keeps it. */
export function ResultList({ id, groups, active, onOpen, onHover }: Props) {
  const allResults = groups.flatMap(({ results }) => results)
  return (
    <div id={`${id}-list`} role="listbox" aria-label="Results" tabIndex={-1}>
      {groups.map(({ name, results }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <p id={`${id}-${name}`} className={styles.group} role="presentation">
            {name}
          </p>
          {results.map(item => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={item.key}
              id={`${id}-${allResults.indexOf(item)}`}
              role="option"
              tabIndex={-1}
              aria-selected={item === active}
              className={styles.option}
              onClick={() => onOpen(item)}
              onPointerMove={() => item !== active && onHover(item)}
              // Keeps the focus in the field.
              onPointerDown={event => event.preventDefault()}
            >
              <Icon icon={icons[name]} size={16} className={styles.glyph} />
              <span className={styles.words}>
                <span className={item.mono ? styles.mono : styles.title}>{item.title}</span>
                {name !== 'Screens' && <span className={styles.second}>{item.second}</span>}
              </span>
              {item.status && <Status status={item.status} variant="plain" />}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
