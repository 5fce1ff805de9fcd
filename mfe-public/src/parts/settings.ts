import { useSettings } from '@portal/api/settings'
import { formatMoney } from '@portal/format/money'

/** The fee as people read it, e.g. `₦5,000.00`; undefined while it is not known. */
export function useFee(): string | undefined {
  const { data } = useSettings()
  return data && formatMoney(data.verification_fee, data.currency)
}

/** The institution's contact details; undefined while they are not known. */
export function useInstitution() {
  return useSettings().data?.institution
}
