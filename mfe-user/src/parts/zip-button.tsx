import { saveFile } from '@portal/account-ui/save-file'
import type { Download } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { Button, type ButtonProps } from '@portal/ui/button'
import { showToast } from '@portal/ui/toast-store'
import { FolderDown } from 'lucide-react'
import { useState } from 'react'

interface Props extends Pick<ButtonProps, 'variant' | 'size'> {
  fetch: () => Promise<Download>
}

/** Button that fetches all letters of a payment or batch as one ZIP file of PDFs. */
export function ZipButton({ fetch, ...buttonProps }: Props) {
  const [busy, setBusy] = useState(false)
  async function fetchAll() {
    setBusy(true)
    try {
      const { blob, filename = 'letters.zip' } = await fetch()
      saveFile(blob, filename)
    } catch (error) {
      showToast({ tone: 'danger', message: messageOf(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      {...buttonProps}
      icon={FolderDown}
      busy={busy}
      busyLabel="Packing…"
      onClick={() => void fetchAll()}
    >
      All letters (ZIP)
    </Button>
  )
}
