import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { FileSearch } from 'lucide-react'
import { countFilters, type ListParams, noFilters } from './list-params.ts'

interface Props {
  params: ListParams
  onShow: (next: Partial<ListParams>) => void
}

/** Explains why the list is empty, and what to do next. */
export function NoCertificates({ params: { search, filters, state }, onShow }: Props) {
  if (countFilters(filters) > 0)
    return (
      <EmptyState
        title={`No ${state === 'deleted' ? 'deleted certificate' : 'certificate'} matches these filters.`}
        icon={FileSearch}
        action={
          <Button onClick={() => onShow({ filters: noFilters, search: '', page: 1 })}>Clear filters</Button>
        }
      />
    )
  if (search === '' && state === 'deleted')
    return (
      <EmptyState title="No deleted certificates." icon={FileSearch}>
        Deleted certificates can be restored for 90 days.
      </EmptyState>
    )
  if (search === '')
    return (
      <EmptyState title="No certificates yet" icon={FileSearch}>
        Use the button above to add the first one.
      </EmptyState>
    )
  const suggested = suggestCertificateNumber(search)
  return (
    <EmptyState
      title={`No ${state === 'deleted' ? 'deleted certificate' : 'certificate'} matches “${search}”`}
      icon={FileSearch}
      action={
        <>
          {suggested && (
            <Button onClick={() => onShow({ search: suggested, page: 1 })}>Did you mean {suggested}?</Button>
          )}
          <Button onClick={() => onShow({ search: '', page: 1 })}>Clear search</Button>
        </>
      }
    >
      Search by part of a certificate number, a student’s name or a course, or by the beginning of a matric
      number.
    </EmptyState>
  )
}
