import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import type { registerJobs as routes } from '@portal/contract/register-jobs'
import type { BodyIn } from '@portal/contract/route'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { certificates, registerChanges, registerJobs, uploads } from '../screen-endpoints.ts'

export type JobRequest = BodyIn<typeof routes.preview>
type Start = BodyIn<typeof routes.create>

/** What a job would do; asked again whenever the dialog opens. */
export function usePreview(request: JobRequest | undefined) {
  return useQuery({
    queryKey: [registerJobs.preview.path, request],
    queryFn: ({ signal }) => call(registerJobs.preview, { body: request ?? { kind: 'bulk_edit' }, signal }),
    enabled: request !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Returns a random `Idempotency-Key`. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/** Starts a job; the same request, sent again after a failure, starts no second one. */
export function useStartJob() {
  const refresh = useRefreshRegister()
  const sent = useRef({ request: '', key: '' })
  return useMutation({
    mutationFn: (body: Start) => {
      const { current_password: _, ...rest } = body
      const request = JSON.stringify(rest)
      if (sent.current.request !== request) sent.current = { request, key: newKey() }
      return call(registerJobs.create, { body, headers: { 'idempotency-key': sent.current.key } })
    },
    onSuccess: refresh,
  })
}

/** Returns a function that refetches whatever a job changes. */
export function useRefreshRegister() {
  const client = useQueryClient()
  const shown = [
    ...Object.values(certificates),
    registerJobs.list,
    registerJobs.read,
    registerChanges,
    uploads.list,
  ]
  const reads = [...new Set(shown.filter(({ method }) => method === 'GET').map(({ path }) => path))]
  return () => Promise.all(reads.map(path => client.invalidateQueries({ queryKey: queryKey({ path }) })))
}
