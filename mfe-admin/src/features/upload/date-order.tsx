import { type DateOrder, DEFAULT_ORDER, dateOrders, readDate } from '@portal/contract/upload-dates'
import { formatLongDate } from '@portal/format/dates'
import { RadioGroup } from '@portal/ui/radio-group'
import type { FileHead } from './read-head.ts'

interface Props {
  head: FileHead | undefined
  value: DateOrder | undefined
  onChange: (order: DateOrder | undefined) => void
}

const EXAMPLE = '03/04/2019'
const orderLabels = { dmy: 'Day first', mdy: 'Month first' }

/**
 * Lets the user choose whether dates such as 03/04/2019 begin with the day or the month, with an example from the file.
 */
export function DateOrderChoice({ head, value, onChange }: Props) {
  const sampleDate = head?.dates.ambiguous?.text ?? EXAMPLE
  const describeExample = (order: DateOrder) => {
    const day = readDate(sampleDate, order)
    return day ? `${sampleDate} is read as ${formatLongDate(day)}.` : undefined
  }
  const headerOrder = head?.header.dateOrder
  return (
    <RadioGroup
      legend="Date order"
      help="Dates such as 2019-11-22 and 22 Nov 2019 are read the same either way."
      value={value ?? 'file'}
      onChange={choice => onChange(dateOrders.find(order => order === choice))}
      options={[
        {
          value: 'file',
          label: headerOrder
            ? `${orderLabels[headerOrder]}, as stated in the header`
            : 'Day first, unless the dates show otherwise',
          help: `${describeExample(headerOrder ?? DEFAULT_ORDER) ?? ''} A file with dates in both orders is refused.`,
        },
        ...dateOrders.map(order => ({
          value: order,
          label: `${orderLabels[order]} in every row`,
          help: `${describeExample(order) ?? ''} Rows in the other order fail.`,
        })),
      ]}
    />
  )
}
