import { q } from '@portal/api/query'
import { useQuery } from '@tanstack/react-query'
import { settings } from './endpoints.ts'

/** The fee and how to reach the institution. */
export function useSettings() {
  return useQuery(q(settings))
}
