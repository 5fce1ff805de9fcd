import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import type { Dispute } from '@portal/contract/admin-disputes'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { TextArea } from '@portal/ui/text-area'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import styles from './disputes.module.css'
import { disputes } from './endpoints.ts'
import { useRefresh } from './use-disputes.ts'

/** Form for the note sent with the evidence, saved for the person who will answer. */
export function NoteForm({ dispute }: { dispute: Dispute }) {
  const refresh = useRefresh()
  const [note, setNote] = useState(dispute.note)
  const save = useMutation({
    mutationFn: () => call(disputes.saveNote, { params: { id: dispute.id }, body: { note } }),
    onSuccess: refresh,
  })
  return (
    <form
      className={styles.note}
      onSubmit={event => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <TextArea
        label="Note"
        optional
        maxLength={2000}
        help="Sent to the bank with the evidence."
        value={note}
        onChange={event => setNote(event.target.value)}
      />
      <Button type="submit" busy={save.isPending} busyLabel="Saving…" disabled={note === dispute.note}>
        Save note
      </Button>
      {save.isSuccess && note === dispute.note && <Alert tone="success">Note saved.</Alert>}
      {save.isError && <Alert tone="danger">{messageOf(save.error)}</Alert>}
    </form>
  )
}
