import { ListScreen } from '@portal/account-ui/list-screen'
import { call, download } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { Invoice } from '@portal/contract/organisation-billing'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatShortDate } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { invoiceDisplay } from '@portal/format/organisations'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Code } from '@portal/ui/mono'
import { type Column, Table } from '@portal/ui/table'
import { showToast } from '@portal/ui/toast-store'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Ban, FileDown, FileText, Plus } from 'lucide-react'
import { useState } from 'react'
import { billing } from '../../parts/organisation-work-endpoints.ts'
import { useRefreshWork } from '../../parts/use-refresh-work.ts'
import { inactiveReason } from './frame.tsx'
import { InvoiceDialog } from './invoice-dialog.tsx'
import styles from './organisations.module.css'
import { useDownload } from './use-download.ts'
import { usePage } from './use-page.ts'

/** Invoices for top-ups by bank transfer. */
export function Invoices({ organisation }: { organisation: OwnOrganisation }) {
  const params = { id: organisation.id }
  const { page, onPage } = usePage()
  const [creating, setCreating] = useState(false)
  const refresh = useRefreshWork()
  const list = useQuery({
    ...q(billing.invoices, { params, query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  const pdf = useDownload(
    (invoiceId: string) =>
      download(billing.invoicePdf, {
        params: { ...params, inv: invoiceId },
        headers: { accept: 'application/pdf' },
      }),
    invoiceId => `invoice_${invoiceId}.pdf`,
  )
  const cancel = useMutation({
    mutationFn: (invoiceId: string) => call(billing.cancelInvoice, { params: { ...params, inv: invoiceId } }),
    onSuccess: ({ message }) => showToast({ tone: 'success', message }),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
    onSettled: refresh,
  })
  const disabledReason = inactiveReason(organisation)
  const columns = invoiceColumns({ pdf, cancel, disabledReason })
  const createButton = (
    <Button icon={Plus} disabledReason={disabledReason} onClick={() => setCreating(true)}>
      Create Invoice
    </Button>
  )
  return (
    <div className={styles.page}>
      <div className={styles.invitation}>
        <p className={styles.muted}>
          An invoice lets you pay by bank transfer. The balance is credited when the institution has recorded
          the transfer.
        </p>
        {createButton}
      </div>
      <ListScreen query={list} page={page} onPage={onPage} noun="invoice">
        {loading => (
          <Table
            caption="Invoices"
            captionHidden
            columns={columns}
            rows={list.data?.invoices}
            rowKey={({ id }) => id}
            loading={loading}
            empty={<EmptyState title="No invoices yet" icon={FileText} />}
          />
        )}
      </ListScreen>
      {creating && <InvoiceDialog organisationId={organisation.id} onClose={() => setCreating(false)} />}
    </div>
  )
}

interface ColumnOptions {
  /** Downloads invoices as PDF. `busyKey` is the ID of the invoice that is being downloaded. */
  pdf: { busyKey: string | undefined; start: (id: string) => void }
  cancel: { isPending: boolean; variables: string | undefined; mutate: (id: string) => void }
  /** The reason why nothing can be changed; undefined if changes are possible. */
  disabledReason: string | undefined
}

function invoiceColumns({ pdf, cancel, disabledReason }: ColumnOptions): Column<Invoice>[] {
  return [
    {
      key: 'number',
      header: 'Invoice',
      rowHeader: true,
      lines: 2,
      cell: ({ number, created_at }) => (
        <>
          <Code>{number}</Code>
          <span className={styles.second}>Created on {formatShortDate(created_at)}</span>
        </>
      ),
    },
    {
      key: 'state',
      header: 'Status',
      nowrap: true,
      cell: ({ state }) => <Status status={invoiceDisplay(state)} variant="plain" />,
    },
    { key: 'due', header: 'Due on', nowrap: true, cell: ({ due_on }) => formatShortDate(due_on) },
    {
      key: 'amount',
      header: 'Amount',
      align: 'end',
      nowrap: true,
      cell: ({ amount, currency }) => formatMoney(amount, currency),
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      nowrap: true,
      cell: ({ id, number, state }) => (
        <span className={styles.rowActions}>
          <Button
            variant="quiet"
            size="sm"
            icon={FileDown}
            busy={pdf.busyKey === id}
            busyLabel="Preparing…"
            aria-label={`Download invoice ${number} as PDF`}
            onClick={() => pdf.start(id)}
          >
            PDF
          </Button>
          {state === 'open' && (
            <Button
              variant="quiet"
              size="sm"
              icon={Ban}
              busy={cancel.isPending && cancel.variables === id}
              busyLabel="Cancelling…"
              disabledReason={disabledReason}
              aria-label={`Cancel invoice ${number}`}
              onClick={() => cancel.mutate(id)}
            >
              Cancel
            </Button>
          )}
        </span>
      ),
    },
  ]
}
