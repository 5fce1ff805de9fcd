import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './toast.module.css'
import { onToast, type ToastMessage, withToast } from './toast-store.ts'

const icons = { success: CircleCheck, warning: TriangleAlert, danger: CircleAlert, info: Info }

interface ShownToast extends ToastMessage {
  readonly id: number
}

/** Renders all toasts, the newest one last. Only the shell mounts it, once. */
export function ToastRegion() {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const nextId = useRef(0)
  const dismiss = (id: number) => setToasts(shown => shown.filter(toast => toast.id !== id))

  // A layout effect, so that it subscribes before the effects of other components, which may show a toast on mount.
  useLayoutEffect(
    () =>
      onToast(message => {
        const toast = { ...message, id: nextId.current++ }
        setToasts(shown => withToast(shown, toast))
      }),
    [],
  )

  return (
    <section aria-label="Messages" aria-live="polite" aria-relevant="additions" className={styles.region}>
      {toasts.map(toast => (
        <Toast key={toast.id} toast={toast} onDone={() => dismiss(toast.id)} />
      ))}
    </section>
  )
}

function Toast({ toast, onDone }: { toast: ShownToast; onDone: () => void }) {
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const isPaused = hovered || focused
  const latestOnDone = useRef(onDone)
  latestOnDone.current = onDone
  const duration = toast.duration ?? (toast.tone === 'danger' ? undefined : 6000)

  useEffect(() => {
    if (isPaused || duration === undefined) return
    const timer = setTimeout(() => latestOnDone.current(), duration)
    return () => clearTimeout(timer)
  }, [isPaused, duration])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only pause the timer
    <div
      role={toast.tone === 'danger' ? 'alert' : 'group'}
      className={classNames(styles.toast, styles[toast.tone])}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Icon icon={icons[toast.tone]} className={styles.icon} />
      <p className={styles.message}>{toast.message}</p>
      <IconButton icon={X} size="sm" label="Dismiss" onClick={onDone} />
    </div>
  )
}
