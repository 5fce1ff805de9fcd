import { Button } from '@portal/ui/button'
import { Drawer } from '@portal/ui/drawer'
import { IconButton } from '@portal/ui/icon-button'
import { ThemeSwitch } from '@portal/ui/theme-switch'
import { Menu } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ComponentPage } from './component-page.tsx'
import { Index } from './index-list.tsx'
import { Overview } from './overview.tsx'
import { files } from './stories.ts'
import { useHash } from './use-hash.ts'
import styles from './workshop.module.css'

/** Widths of the frames in pixels, of which 0 means as wide as the page. */
const widths = [0, 360, 768, 1280]

/** Parses the hash: `#button/sizes` is the story `sizes` of the component `button`. */
function useRoute() {
  const hash = useHash()
  const [component, storyId] = hash.slice(1).split('/')
  return { file: files.find(({ id }) => id === component), storyId }
}

function useWidth() {
  const [width, setWidth] = useState(() => {
    const width = Number(new URLSearchParams(window.location.search).get('width'))
    return widths.includes(width) ? width : 0
  })
  function choose(next: number) {
    setWidth(next)
    const { pathname, hash } = window.location
    window.history.replaceState(null, '', `${pathname}${next ? `?width=${next}` : ''}${hash}`)
  }
  return [width, choose] as const
}

export function Workshop() {
  const { file, storyId } = useRoute()
  const [width, chooseWidth] = useWidth()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const title = file?.about.title ?? 'Components'

  useEffect(() => {
    document.title = file ? `${title} · Components` : title
    setOpen(false)
  }, [title, file])

  return (
    <>
      <header className={styles.bar}>
        <div className={styles.start}>
          <span className={styles.menu}>
            <IconButton icon={Menu} label="Index" onClick={() => setOpen(true)} />
          </span>
          <a href="#all" className={styles.home}>
            Components
          </a>
        </div>
        <div className={styles.tools}>
          <fieldset className={styles.widths}>
            <legend className={styles.legend}>Width</legend>
            {widths.map(item => (
              <Button
                key={item}
                size="sm"
                variant={item === width ? 'secondary' : 'quiet'}
                aria-pressed={item === width}
                onClick={() => chooseWidth(item)}
              >
                {item || 'Full'}
              </Button>
            ))}
          </fieldset>
          <ThemeSwitch />
        </div>
      </header>
      <div className={styles.body}>
        <div className={styles.side}>
          <Index current={file?.id} />
        </div>
        <Drawer open={open} onClose={close} title="Components">
          <Index current={file?.id} onChoose={close} />
        </Drawer>
        <main id="main" className={styles.main}>
          {file ? <ComponentPage key={file.id} file={file} storyId={storyId} width={width} /> : <Overview />}
        </main>
      </div>
    </>
  )
}
