import { useSettings } from '@portal/api/settings'
import { formatMoney } from '@portal/format/money'

/** Formats the fee, in the default currency if none is given; undefined if the response has no amount. */
export function feeText({ verification_fee: fee, currency }: { verification_fee: number; currency: string }) {
  return fee !== null && Number.isFinite(Number(fee)) ? formatMoney(fee, currency || undefined) : undefined
}

/** Returns the formatted fee, such as `₦5,000.00`; undefined until it is known. */
export function useFee(): string | undefined {
  const { data } = useSettings()
  return data && feeText(data)
}

/** Returns the institution's contact details; undefined until they are known. */
export function useInstitution() {
  return useSettings().data?.institution
}
