import { saveFile } from '@portal/account-ui/save-file'
import { download } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { Button, type ButtonProps } from '@portal/ui/button'
import { showToast } from '@portal/ui/toast-store'
import { lettersZip } from '@portal/verify-flow/letter-endpoints'
import { FolderDown } from 'lucide-react'
import { useState } from 'react'

interface Props extends Pick<ButtonProps, 'variant' | 'size'> {
  transactionId: string
}

/** Button that fetches all letters of a payment as one ZIP file of PDFs. */
export function ZipButton({ transactionId, ...buttonProps }: Props) {
  const [busy, setBusy] = useState(false)
  async function fetchAll() {
    setBusy(true)
    try {
      const { blob, filename } = await download(lettersZip, { params: { transaction_id: transactionId } })
      saveFile(blob, filename ?? `letters_${transactionId}.zip`)
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
