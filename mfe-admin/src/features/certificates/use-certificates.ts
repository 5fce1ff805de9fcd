import { call } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import type { Certificate } from '@portal/contract/shapes'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { certificates } from '../../parts/screen-endpoints.ts'
import type { CertificateBody } from './certificate-form.ts'
import type { ListParams } from './list-params.ts'

/** Page size of the certificate list (specification, section 9). */
const PER_PAGE = 20

/** Fetches one page of certificates, keeping the previous one while the next loads. */
export function useCertificates({ search, page }: ListParams) {
  const query = { search: search.trim(), page, per_page: PER_PAGE }
  return useQuery({ ...q(certificates.list, { query }), placeholderData: keepPreviousData })
}

/** Creates or updates a certificate and refetches the list. Returns the server's message. */
export function useSaveCertificate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: { id: string | undefined; body: CertificateBody }) =>
      id === undefined
        ? call(certificates.create, { body })
        : call(certificates.update, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKey(certificates.list) }),
  })
}

/** Restores a deleted certificate. Returns the server's message. */
export function useRestoreCertificate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Certificate) => call(certificates.restore, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKey(certificates.list) }),
  })
}

/** Deletes a certificate; a failure shows as a browser alert (specification, section 8). */
export function useDeleteCertificate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Certificate) => call(certificates.remove, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKey(certificates.list) }),
    onError: error => window.alert(alertText(error)),
  })
}
