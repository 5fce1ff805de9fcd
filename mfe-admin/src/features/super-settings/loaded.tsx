import { LoadFailure } from '@portal/account-ui/load-failure'
import { FormLayout } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { VisuallyHidden } from '@portal/ui/visually-hidden'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

interface Props<Data> {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}

/** Renders a section with its settings; shows a skeleton until they have loaded, and a retry button after a failure. */
export function Loaded<Data>({ query, children }: Props<Data>) {
  const { data, error } = query
  if (data !== undefined) return children(data)
  if (!error) {
    return (
      <Panel>
        <span role="status">
          <VisuallyHidden>Loading the settings</VisuallyHidden>
        </span>
        <FormLayout>
          <Skeleton size="field" lines={5} />
        </FormLayout>
      </Panel>
    )
  }
  return <LoadFailure title="The settings could not be loaded" query={query} />
}
