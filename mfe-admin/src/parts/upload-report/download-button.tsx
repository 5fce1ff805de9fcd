import { Button } from '@portal/ui/button'
import { Download } from 'lucide-react'
import { useState } from 'react'

/** Button that downloads a file, and is busy until it is saved, because a report may have 100,000 rows. */
export function DownloadButton({ save, children }: { save: () => Promise<void> | void; children: string }) {
  const [busy, setBusy] = useState(false)
  async function onDownload() {
    setBusy(true)
    try {
      await save()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={Download} busy={busy} busyLabel="Downloading…" onClick={() => void onDownload()}>
      {children}
    </Button>
  )
}
