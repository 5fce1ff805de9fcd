import { q } from '@portal/api/query'
import { verification } from '@portal/contract/verification'
import { useQuery } from '@tanstack/react-query'

/** The fee and how to reach the institution. */
export function useSettings() {
  return useQuery(q(verification.settings))
}
