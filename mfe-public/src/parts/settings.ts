import { useSettings } from '@portal/api/settings'
import { formatMoney } from '@portal/format/money'

/**
 * Formats the fee; undefined if the reply has no amount. Without a currency, the default currency applies.
 */
export function feeText({ verification_fee: fee, currency }: { verification_fee: number; currency: string }) {
  return fee !== null && Number.isFinite(Number(fee)) ? formatMoney(fee, currency || undefined) : undefined
}

/** The formatted fee, e.g. `₦5,000.00`; undefined while unknown. */
export function useFee(): string | undefined {
  const { data } = useSettings()
  return data && feeText(data)
}

/** The institution's contact details; undefined while unknown. */
export function useInstitution() {
  return useSettings().data?.institution
}
