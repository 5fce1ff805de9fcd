import { useSettings } from '@portal/api/settings'
import { formatMoney } from '@portal/format/money'

/** No text rather than a wrong one where the reply has no amount; without a currency it is the product's default. */
export function feeText({ verification_fee: fee, currency }: { verification_fee: number; currency: string }) {
  return fee !== null && Number.isFinite(Number(fee)) ? formatMoney(fee, currency || undefined) : undefined
}

/** The fee as people read it, e.g. `₦5,000.00`; undefined while it is not known. */
export function useFee(): string | undefined {
  const { data } = useSettings()
  return data && feeText(data)
}

/** The institution's contact details; undefined while they are not known. */
export function useInstitution() {
  return useSettings().data?.institution
}
