import { q } from '@portal/api/query'
import { formatMoney } from '@portal/format/money'
import { useQuery } from '@tanstack/react-query'
import { settings } from './endpoints.ts'

const MINUTE = 60_000

/** The fee and how to reach the institution. Pages must read well without it: it may be late or missing. */
export function useSettings() {
  return useQuery({ ...q(settings), staleTime: 5 * MINUTE })
}

/** The fee as people read it, e.g. `₦5,000.00`; undefined while it is not known. */
export function useFee(): string | undefined {
  const { data } = useSettings()
  return data && formatMoney(data.verification_fee, data.currency)
}

/** The institution's contact details; undefined while they are not known. */
export function useInstitution() {
  return useSettings().data?.institution
}
