import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import lists from '../list.module.css'
import type { RevertTarget } from './revert-dialog.tsx'
import { usePreview } from './use-jobs.ts'
import { NOTHING_TO_REVERT } from './words.ts'

const RevertDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './revert-dialog.tsx'))

/** Maximum number of changes for which a preview is fetched before the dialog opens; larger previews are slow. */
const PREVIEWED = 2000

interface Props {
  label: string
  title: string
  target: RevertTarget
  /** Number of certificates that the upload or job changed. */
  changed: number
}

/** Opens the revert of an upload or a job; disabled once it would do nothing. */
export function RevertButton({ label, title, target, changed }: Props) {
  const [confirming, setConfirming] = useState(false)
  const preview = usePreview(changed <= PREVIEWED ? target : undefined)
  const isUseless = preview.data?.to_change === 0
  const close = () => setConfirming(false)
  return (
    <>
      <Button
        icon={Undo2}
        disabledReason={isUseless ? NOTHING_TO_REVERT : undefined}
        onClick={() => setConfirming(true)}
      >
        {label}
      </Button>
      {/* Assistive technology gets this reason from the button. */}
      {isUseless && (
        <span className={lists.second} aria-hidden="true">
          {NOTHING_TO_REVERT}
        </span>
      )}
      {confirming && (
        <Suspense fallback={<DialogLoading title={title} onClose={close} />}>
          <RevertDialog title={title} target={target} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
