import { saveFile } from '@portal/account-ui/save-file'
import type { Download } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { showToast } from '@portal/ui/toast-store'
import { useMutation } from '@tanstack/react-query'

/**
 * Returns a function that downloads a file by its key and saves it, and the key of the download in progress. A failure is shown
 * as a toast.
 */
export function useDownload<Key extends string>(
  fetch: (key: Key) => Promise<Download>,
  defaultName: (key: Key) => string,
) {
  const file = useMutation({
    mutationFn: fetch,
    onSuccess: ({ blob, filename }, key) => saveFile(blob, filename ?? defaultName(key)),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
  })
  return { busyKey: file.isPending ? file.variables : undefined, start: file.mutate }
}
