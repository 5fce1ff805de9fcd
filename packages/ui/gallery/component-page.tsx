import { CopyButton } from '@portal/ui/copy-button'
import { PageHeader } from '@portal/ui/page-header'
import { useEffect, useRef, useState } from 'react'
import { ControlFields } from './control-fields.tsx'
import { codeOf, importsOf, withValues } from './source.ts'
import { initialValues, type Story, type StoryFile, valuesHash } from './story.ts'
import styles from './workshop.module.css'

/** Returns the source of a story file; empty until it has been fetched. */
function useSource(file: StoryFile): string {
  const [source, setSource] = useState('')
  useEffect(() => {
    const controller = new AbortController()
    fetch(`source/${file.id}.tsx`, { signal: controller.signal })
      .then(response => response.text())
      .then(setSource, () => undefined)
    return () => controller.abort()
  }, [file])
  return source
}

export function ComponentPage(props: { file: StoryFile; storyId: string | undefined; width: number }) {
  const { file, storyId, width } = props
  const source = useSource(file)
  useEffect(() => {
    if (storyId) document.getElementById(`story-${storyId}`)?.scrollIntoView()
    else window.scrollTo(0, 0)
  }, [storyId])
  return (
    <>
      <PageHeader title={file.about.title} description={file.about.text} />
      <Code text={importsOf(source)} label="Copy imports" />
      {file.stories.map(story => (
        <StoryCard key={story.id} {...{ file, story, width, source }} />
      ))}
    </>
  )
}

const addressOf = (file: StoryFile, story: Story) => `canvas.html?component=${file.id}&story=${story.id}`

interface CardProps {
  file: StoryFile
  story: Story
  width: number
  source: string
}

/** Shows a story in its frame, with its controls and its code. */
function StoryCard({ file, story, width, source }: CardProps) {
  const { controls } = story
  const [values, setValues] = useState(() => initialValues(controls ?? {}))
  const code = codeOf(source, story.exportName)
  return (
    <section id={`story-${story.id}`} className={styles.card} aria-labelledby={`name-${story.id}`}>
      <div className={styles.heading}>
        <h2 id={`name-${story.id}`} className={styles.name}>
          {story.name}
        </h2>
        <a
          href={addressOf(file, story) + (controls ? valuesHash(values) : '')}
          target="_blank"
          rel="noreferrer"
        >
          Open in new tab
        </a>
      </div>
      <Preview {...{ file, story, width }} values={controls && values} />
      {controls && <ControlFields controls={controls} values={values} onChange={setValues} />}
      <details className={styles.code} open={controls !== undefined}>
        <summary>Code</summary>
        <Code text={controls ? withValues(code, values) : code} label="Copy code" />
      </details>
    </section>
  )
}

interface PreviewProps extends Omit<CardProps, 'source'> {
  values: Readonly<Record<string, unknown>> | undefined
}

/** Shows a story in an iframe, whose width then acts like the screen width of a device. */
function Preview({ file, story, width, values }: PreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const hash = values ? valuesHash(values) : ''
  const [initialHash] = useState(hash)
  const lastHash = useRef(initialHash)
  useEffect(() => {
    const frameWindow = frame.current?.contentWindow
    if (!frameWindow || hash === lastHash.current) return
    lastHash.current = hash
    // Only the hash changes, so the frame is not reloaded.
    frameWindow.location.replace(addressOf(file, story) + hash)
  }, [hash, file, story])
  const { viewportHeight } = file.about
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={styles.preview} aria-label={`Preview of ${story.name}`} tabIndex={0}>
      <iframe
        ref={frame}
        title={`${file.about.title}: ${story.name}`}
        src={addressOf(file, story) + initialHash}
        width={width || '100%'}
        height={viewportHeight ?? 80}
        data-fits={viewportHeight ? undefined : ''}
        loading="lazy"
      />
    </section>
  )
}

function Code({ text, label }: { text: string; label: string }) {
  if (!text) return null
  return (
    <div className={styles.text}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} compact />
    </div>
  )
}
