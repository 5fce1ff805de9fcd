import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import lists from '../list.module.css'
import type { RevertTarget } from './revert-dialog.tsx'
import { NOTHING_TO_REVERT } from './texts.ts'
import { usePreview } from './use-jobs.ts'

const RevertDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './revert-dialog.tsx'))

/** Maximum number of changes for which a preview is fetched before the dialog opens; larger previews are slow. */
const MAX_PREFETCHED = 2000

interface Props {
  label: string
  title: string
  target: RevertTarget
  /** Number of certificates that the upload or job changed. */
  changed: number
}

/** Button that opens the dialog to revert an upload or a job; it is disabled if there is nothing to revert. */
export function RevertButton({ label, title, target, changed }: Props) {
  const [isConfirming, setIsConfirming] = useState(false)
  const preview = usePreview(changed <= MAX_PREFETCHED ? target : undefined)
  const hasNothingToRevert = preview.data?.to_change === 0
  const close = () => setIsConfirming(false)
  return (
    <>
      <Button
        icon={Undo2}
        disabledReason={hasNothingToRevert ? NOTHING_TO_REVERT : undefined}
        onClick={() => setIsConfirming(true)}
      >
        {label}
      </Button>
      {/* Hidden from assistive technology, which already reads this reason with the button. */}
      {hasNothingToRevert && (
        <span className={lists.second} aria-hidden="true">
          {NOTHING_TO_REVERT}
        </span>
      )}
      {isConfirming && (
        <Suspense fallback={<DialogLoading title={title} onClose={close} />}>
          <RevertDialog title={title} target={target} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
