import { FormDialog } from '@portal/account-ui/form-dialog'
import { call } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import { queryKey } from '@portal/api/query'
import type { SettlementUpload } from '@portal/contract/admin-settlements'
import { counted } from '@portal/format/counted'
import { gatewayName } from '@portal/format/gateways'
import { formatCount } from '@portal/format/numbers'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { FormLayout } from '@portal/ui/form-layout'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { reconciliation } from '../../parts/money-endpoints.ts'
import { settlements } from './endpoints.ts'
import styles from './settlements.module.css'

interface SettlementFile {
  file: File
  provider: string
  reference: string
  settled_on: string
}

/** Dialog that uploads a settlement report and shows the result of each row. */
export default function UploadDialog({
  providers,
  onClose,
}: {
  providers: readonly string[]
  onClose: () => void
}) {
  const client = useQueryClient()
  const [file, setFile] = useState<File>()
  const [isFileMissing, setFileMissing] = useState(false)
  const upload = useMutation({
    mutationFn: ({ file: report, provider, reference, settled_on }: SettlementFile) => {
      const body = new FormData()
      body.append('file', report)
      const query = {
        provider,
        ...(reference !== '' && { reference }),
        ...(settled_on !== '' && { settled_on }),
      }
      return call(settlements.upload, { query, body })
    },
    onSuccess: () => {
      for (const route of [settlements.differences, settlements.list, reconciliation.ledger])
        void client.invalidateQueries({ queryKey: queryKey(route) })
    },
  })
  const fields = isApiError(upload.error) ? upload.error.fields : {}

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setFileMissing(!file)
    if (!file) return
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const details = {
      provider: text('provider'),
      reference: text('reference'),
      settled_on: text('settled_on'),
    }
    upload.mutate({ file, ...details })
  }

  if (upload.isSuccess) {
    const startOver = () => {
      setFile(undefined)
      upload.reset()
    }
    return <UploadResultDialog result={upload.data} onAnother={startOver} onClose={onClose} />
  }
  return (
    <FormDialog
      title="Upload a settlement report"
      description="A CSV file with a header and amounts in naira. Uploading the same file again changes nothing."
      submitLabel="Upload"
      busyLabel="Matching…"
      isDirty={file !== undefined}
      isSubmitting={upload.isPending}
      failure={upload.isError && Object.keys(fields).length === 0 ? messageOf(upload.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        type="file"
        accept=".csv,text/csv"
        label="Report (CSV)"
        help="Columns are found by name: reference and amount; optionally fee, net, type, settlement and settlement date."
        error={isFileMissing ? 'Please select a file first' : fields.file}
        required
        onChange={event => {
          setFile(event.target.files?.[0])
          setFileMissing(false)
          upload.reset()
        }}
      />
      <Select
        name="provider"
        label="Gateway"
        options={providers.map(value => ({ value, label: gatewayName(value) }))}
        error={fields.provider}
      />
      <TextInput
        name="reference"
        label="Settlement reference"
        help="Only if the file has no such column."
        error={fields.reference}
        autoComplete="off"
        maxLength={100}
        optional
      />
      <TextInput
        name="settled_on"
        type="date"
        label="Settled on"
        help="Only if the file has no such column."
        error={fields.settled_on}
        optional
      />
    </FormDialog>
  )
}

interface UploadResultProps {
  result: SettlementUpload
  onAnother: () => void
  onClose: () => void
}

/** The result of an upload, with a link to the differences it found. */
function UploadResultDialog({ result, onAnother, onClose }: UploadResultProps) {
  const { message, added, unchanged, failed, open_differences: openCount, errors } = result
  return (
    <Dialog
      open
      onClose={onClose}
      title="Settlement report"
      footer={
        <>
          <Button onClick={onAnother}>Upload another file</Button>
          <Button variant="primary" data-autofocus onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <FormLayout>
        <Alert tone={failed > 0 || openCount > 0 ? 'warning' : 'success'} title={message}>
          {[
            `${counted(added, 'row')} added`,
            unchanged > 0 && `${formatCount(unchanged)} unchanged`,
            failed > 0 && `${formatCount(failed)} with errors`,
          ]
            .filter(Boolean)
            .join(', ')}
          .{' '}
          {openCount === 0 ? (
            'Everything agrees with the ledger.'
          ) : (
            <>
              <Link to={paths.dashboard('settlements')} onClick={onClose}>
                {counted(openCount, 'open difference')}
              </Link>
              .
            </>
          )}
        </Alert>
        {errors.length > 0 && (
          <section aria-label="Rows with errors">
            <ul className={styles.errors}>
              {errors.map(({ line, message: problem }) => (
                <li key={line}>
                  Line {line}: {problem}
                </li>
              ))}
            </ul>
          </section>
        )}
      </FormLayout>
    </Dialog>
  )
}
