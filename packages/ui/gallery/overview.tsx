import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { files } from './stories.ts'
import { groups } from './story.ts'
import styles from './workshop.module.css'

/** Lists all components, each with its purpose. */
export function Overview() {
  const storyCount = files.reduce((sum, { stories }) => sum + stories.length, 0)
  return (
    <>
      <PageHeader
        title="Components"
        description={
          <>
            {files.length} components of the portal in {storyCount} states. See{' '}
            <a href="canvas.html">all on one page</a>.
          </>
        }
      />
      {groups.map(group => (
        <Panel key={group} title={group} variant="plain">
          <ul className={styles.cards}>
            {files
              .filter(({ about }) => about.group === group)
              .map(({ id, about }) => (
                <li key={id}>
                  <a href={`#${id}`} className={styles.title}>
                    {about.title}
                  </a>
                  <p>{about.text}</p>
                </li>
              ))}
          </ul>
        </Panel>
      ))}
    </>
  )
}
