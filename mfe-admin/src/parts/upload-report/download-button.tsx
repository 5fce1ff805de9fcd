import { Button } from '@portal/ui/button'
import { Download } from 'lucide-react'
import { useState } from 'react'

/** Fetches a file and saves it; says so while it comes, for a report may have a hundred thousand rows. */
export function DownloadButton({ save, children }: { save: () => Promise<void> | void; children: string }) {
  const [busy, setBusy] = useState(false)
  async function fetchIt() {
    setBusy(true)
    try {
      await save()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={Download} busy={busy} busyLabel="Downloading…" onClick={() => void fetchIt()}>
      {children}
    </Button>
  )
}
