import { fieldLabels, type UploadField, uploadFields } from '@portal/contract/upload-columns'
import type { DateOrder } from '@portal/contract/upload-dates'
import { type Definition, DefinitionList } from '@portal/ui/definition-list'

const normaliseHeader = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

/** Formats a column as `Certificate number (“Cert. No.”)`, or as the field's name alone if the header is the same. */
const formatColumn = ({ field, header = field }: { field: UploadField; header?: string }) =>
  normaliseHeader(header) === normaliseHeader(field)
    ? fieldLabels[field]
    : `${fieldLabels[field]} (“${header}”)`

interface Props {
  recognised: readonly { field: UploadField; header?: string }[]
  ignored: readonly string[]
  dateOrder?: DateOrder | null | undefined
}

/** Lists the imported and the ignored columns, and the date order if one was chosen. */
export function RecognisedColumns({ recognised, ignored, dateOrder }: Props) {
  if (recognised.length === 0) return null
  const missingFields = uploadFields.filter(name => !recognised.some(({ field }) => field === name))
  const items: Definition[] = [
    { term: 'Recognised columns', value: recognised.map(formatColumn).join(', ') },
    { term: 'Ignored columns', value: ignored.length > 0 ? ignored.join(', ') : 'None' },
  ]
  if (missingFields.length > 0)
    items.push({ term: 'Not in the file', value: missingFields.map(field => fieldLabels[field]).join(', ') })
  if (dateOrder) items.push({ term: 'Date order', value: dateOrder === 'dmy' ? 'Day first' : 'Month first' })
  return <DefinitionList variant="compact" items={items} />
}
