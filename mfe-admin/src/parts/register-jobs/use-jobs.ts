import { useIdempotencyKey } from '@portal/account-ui/use-idempotency-key'
import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import type { registerJobs as routes } from '@portal/contract/register-jobs'
import type { BodyIn } from '@portal/contract/route'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { certificates, registerChanges, registerJobs, uploads } from '../screen-endpoints.ts'

export type JobRequest = BodyIn<typeof routes.preview>
type CreateJobBody = BodyIn<typeof routes.create>

/** Fetches the preview of a job again whenever the dialog opens. */
export function usePreview(request: JobRequest | undefined) {
  return useQuery({
    queryKey: [registerJobs.preview.path, request],
    queryFn: ({ signal }) => call(registerJobs.preview, { body: request ?? { kind: 'bulk_edit' }, signal }),
    enabled: request !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Returns a mutation that starts a job. Retrying it after a failure does not start a second job. */
export function useStartJob() {
  const refresh = useRefreshRegister()
  const idempotencyHeaders = useIdempotencyKey()
  return useMutation({
    mutationFn: (body: CreateJobBody) => {
      const { current_password: _, ...rest } = body
      return call(registerJobs.create, { body, headers: idempotencyHeaders(rest) })
    },
    onSuccess: refresh,
  })
}

/** Returns a function that refetches every query that a job affects. */
export function useRefreshRegister() {
  const client = useQueryClient()
  const routes = [
    ...Object.values(certificates),
    registerJobs.list,
    registerJobs.read,
    registerChanges,
    uploads.list,
  ]
  const readPaths = [...new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))]
  return () => Promise.all(readPaths.map(path => client.invalidateQueries({ queryKey: queryKey({ path }) })))
}
