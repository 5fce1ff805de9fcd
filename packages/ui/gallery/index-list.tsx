import { classNames } from '@portal/ui/class-names'
import { TextInput } from '@portal/ui/text-input'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { files } from './stories.ts'
import { groups, type StoryFile } from './story.ts'
import styles from './workshop.module.css'

const textOf = ({ id, about, stories }: StoryFile) =>
  [id, about.title, about.group, ...stories.map(({ name }) => name)].join(' ').toLowerCase()

/** Returns the components whose titles and names of stories contain all words of the query, in any order. */
function filterComponents(query: string): readonly StoryFile[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return files.filter(file => words.every(word => textOf(file).includes(word)))
}

/** Focuses the search field when `/` is pressed, as on many sites. */
function useSlashKey(field: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isInField = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (event.key !== '/' || isInField || !field.current?.checkVisibility()) return
      event.preventDefault()
      field.current.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [field])
}

/** The search field and the list of components by group. */
export function Index({ current, onChoose }: { current: string | undefined; onChoose?: () => void }) {
  const [query, setQuery] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useSlashKey(field)
  const shown = filterComponents(query)
  return (
    <nav aria-label="Components" className={styles.index}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (shown[0]) window.location.hash = shown[0].id
          onChoose?.()
        }}
      >
        <TextInput
          ref={field}
          label="Search"
          labelHidden
          type="search"
          icon={Search}
          placeholder="Search (press /)"
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
      </form>
      <p role="status" className={styles.none}>
        {shown.length === 0 && `Nothing matches “${query}”.`}
      </p>
      {groups.map(group => {
        const groupFiles = shown.filter(({ about }) => about.group === group)
        if (groupFiles.length === 0) return null
        return (
          <section key={group}>
            <h2 className={styles.group}>{group}</h2>
            <ul className={styles.links}>
              {groupFiles.map(({ id, about, stories }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    aria-current={id === current ? 'page' : undefined}
                    className={classNames(styles.link, id === current && styles.here)}
                    onClick={onChoose}
                  >
                    {about.title}
                  </a>
                  {id === current && (
                    <ul className={styles.states}>
                      {stories.map(story => (
                        <li key={story.id}>
                          <a href={`#${id}/${story.id}`} className={styles.state} onClick={onChoose}>
                            {story.name}
                          </a>
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </nav>
  )
}
