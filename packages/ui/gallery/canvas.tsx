import { useMemo } from 'react'
import styles from './canvas.module.css'
import { files } from './stories.ts'
import { initialValues, type Story, type StoryFile, valuesOfHash } from './story.ts'
import { useHash } from './use-hash.ts'

/*
 * Content of the gallery's frames: one story (`?component=button&story=sizes`), all stories of a component, or all components.
 */

/** Returns the props that the controls in the gallery's main page set, or their initial values. */
function useValues({ controls = {} }: Story): Record<string, unknown> {
  const hash = useHash()
  return useMemo(() => {
    const all = { ...initialValues(controls), ...valuesOfHash(hash) }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  }, [hash, controls])
}

function StoryView({ story }: { story: Story }) {
  const values = useValues(story)
  return <story.Component {...values} />
}

function StoryList({ file }: { file: StoryFile }) {
  return (
    <section className={styles.component} aria-label={file.about.title}>
      <h2>{file.about.title}</h2>
      {file.stories.map(story => (
        <section key={story.id} className={styles.state} aria-label={`${file.about.title}: ${story.name}`}>
          <p className={styles.name}>{story.name}</p>
          <div>
            <StoryView story={story} />
          </div>
        </section>
      ))}
    </section>
  )
}

export function Canvas() {
  const parameters = new URLSearchParams(window.location.search)
  const file = files.find(({ id }) => id === parameters.get('component'))
  const story = file?.stories.find(({ id }) => id === parameters.get('story'))
  if (story) {
    return (
      <main id="main" className={styles.alone}>
        <StoryView story={story} />
      </main>
    )
  }
  const shown = file ? [file] : files.filter(({ about }) => !about.viewportHeight)
  return (
    <main id="main" className={styles.page}>
      <h1>{file ? file.about.title : 'All components'}</h1>
      {shown.map(item => (
        <StoryList key={item.id} file={item} />
      ))}
    </main>
  )
}
