import { messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import { formatMoney } from '@portal/format/money'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { useQuery } from '@tanstack/react-query'
import { fee } from './endpoints.ts'

/** A generated screen with one API call and its loading, error and success states. */
export default function SampleScreenPage() {
  const read = useQuery(q(fee))
  return (
    <>
      <PageHeader
        title="Sample Screen"
        description="A new screen. It shows the verification fee as sample data."
      />
      {read.isError && (
        <Alert
          tone="danger"
          title="Sample Screen could not be loaded"
          actions={
            <Button size="sm" busy={read.isFetching} onClick={() => read.refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(read.error)}
        </Alert>
      )}
      {!(read.isError && !read.data) && (
        <Panel title="Data">
          {read.data ? (
            <DefinitionList
              items={[
                {
                  term: 'Verification fee',
                  value: formatMoney(read.data.verification_fee, read.data.currency),
                },
              ]}
            />
          ) : (
            <Skeleton lines={2} />
          )}
        </Panel>
      )}
    </>
  )
}
