import { Button } from '@portal/ui/button'
import { classNames } from '@portal/ui/class-names'
import { Icon } from '@portal/ui/icon'
import { FileUp } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { formatBytes } from '../../parts/format-bytes.ts'
import styles from './upload.module.css'

interface Props {
  file: File | undefined
  onFile: (file: File) => void
}

/** Drop zone with a button that opens the file picker. */
export function FileDrop({ file, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isDragOver, setDragOver] = useState(false)
  const id = useId()

  function onDrop(event: DragEvent) {
    event.preventDefault()
    setDragOver(false)
    const droppedFile = event.dataTransfer.files[0]
    if (droppedFile) onFile(droppedFile)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping needs a mouse; the button does the same by keyboard
    <div
      className={classNames(styles.drop, isDragOver && styles.over)}
      onDragOver={event => {
        event.preventDefault()
        setDragOver(true)
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={onDrop}
    >
      <Icon icon={FileUp} size={28} className={styles.dropIcon} />
      <p className={styles.dropWords} id={id} aria-live="polite">
        {file ? (
          <>
            <strong className={styles.name}>{file.name}</strong> <span>{formatBytes(file.size)}</span>
          </>
        ) : (
          'Drop a CSV file here, or choose one.'
        )}
      </p>
      <Button onClick={() => input.current?.click()} aria-describedby={id}>
        {file ? 'Choose another file' : 'Choose a file'}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="CSV file"
        onChange={event => {
          const [chosen] = event.target.files ?? []
          if (chosen) onFile(chosen)
          // The input is reset, so that the same file can be chosen again after editing it.
          event.target.value = ''
        }}
      />
    </div>
  )
}
