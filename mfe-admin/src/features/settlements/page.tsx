import { ExportButton } from '@portal/account-ui/export-button'
import type { SettlementDifference } from '@portal/contract/admin-settlements'
import { useSearchParams } from '@portal/router'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { PageHeader } from '@portal/ui/page-header'
import { Tabs } from '@portal/ui/tabs'
import { FileUp } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { DifferencesView } from './differences-view.tsx'
import { readParams, type SettlementParams, writeParams } from './settlement-params.ts'
import { SettlementsView } from './settlements-view.tsx'
import { fetchFile, useDifferences, useSettlements } from './use-settlements.ts'

const UploadDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './upload-dialog.tsx'))
const ExplainDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './explain-dialog.tsx'))
const SettlementDrawer = lazy(() => import(/* webpackChunkName: "dialogs" */ './settlement-drawer.tsx'))

const defaultParams = readParams(new URLSearchParams())

/** Payouts of the gateways, and how they differ from the ledger. */
export default function SettlementsPage() {
  const [searchParams, setSearchParams] = useSearchParams()
  const params = readParams(searchParams)
  const differences = useDifferences(params.view === 'differences' ? params : defaultParams)
  const settlements = useSettlements(params.view === 'settlements' ? params : defaultParams)
  const currentList = params.view === 'differences' ? differences : settlements
  const [isUploading, setIsUploading] = useState(false)
  const [differenceToExplain, setDifferenceToExplain] = useState<SettlementDifference>()
  const [notice, setNotice] = useState<string>()
  const openCount = differences.data?.open ?? 0

  function show(change: Partial<SettlementParams>, replace = false) {
    // `params` may be stale: another filter may have changed since the last render.
    const current = readParams(new URLSearchParams(window.location.search))
    setSearchParams(writeParams({ ...current, page: 1, ...change }), { replace })
  }
  const clear = () => setSearchParams(writeParams({ ...defaultParams, view: params.view }))

  return (
    <>
      <PageHeader
        title="Settlements"
        description="Payouts from payment gateways to the bank account, compared with the ledger."
        action={
          <>
            <ExportButton
              fetch={() => fetchFile(params)}
              name={params.view}
              total={currentList.data?.pagination?.total}
            />
            <Button
              variant="primary"
              icon={FileUp}
              disabled={differences.data === undefined}
              onClick={() => setIsUploading(true)}
            >
              Upload report
            </Button>
          </>
        }
      />
      {notice && (
        <Alert tone="success" onDismiss={() => setNotice(undefined)}>
          {notice}
        </Alert>
      )}
      <Tabs
        label="Settlements"
        tabs={[
          { id: 'differences', label: openCount > 0 ? `Differences (${openCount})` : 'Differences' },
          { id: 'settlements', label: 'Settlements' },
        ]}
        value={params.view}
        onChange={view => setSearchParams(writeParams({ ...defaultParams, view }))}
      >
        {params.view === 'differences' ? (
          <DifferencesView
            {...{ params, show, clear }}
            list={differences}
            onExplain={setDifferenceToExplain}
          />
        ) : (
          <SettlementsView {...{ params, show, clear }} list={settlements} />
        )}
      </Tabs>
      {isUploading && (
        <Suspense
          fallback={
            <DialogLoading title="Upload a settlement report" onClose={() => setIsUploading(false)} />
          }
        >
          <UploadDialog providers={differences.data?.providers ?? []} onClose={() => setIsUploading(false)} />
        </Suspense>
      )}
      {differenceToExplain && (
        <Suspense
          fallback={
            <DialogLoading title="Explain the difference" onClose={() => setDifferenceToExplain(undefined)} />
          }
        >
          <ExplainDialog
            difference={differenceToExplain}
            onDone={text => {
              setDifferenceToExplain(undefined)
              setNotice(text)
            }}
            onClose={() => setDifferenceToExplain(undefined)}
          />
        </Suspense>
      )}
      {params.settlement !== '' && (
        <Suspense>
          <SettlementDrawer
            id={params.settlement}
            onClose={() => show({ settlement: '', page: params.page })}
          />
        </Suspense>
      )}
    </>
  )
}
