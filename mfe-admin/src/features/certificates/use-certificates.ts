import { ifMatch } from '@portal/account-ui/conflict'
import type { Theirs } from '@portal/account-ui/use-conflict'
import { call, download } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import type { Certificate } from '@portal/contract/shapes'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { certificates } from '../../parts/screen-endpoints.ts'
import type { CertificateBody } from './certificate-form.ts'
import { type ListParams, toListQuery } from './list-params.ts'

/** Page size of the certificate list (specification, section 9). */
const PER_PAGE = 20

/** Fetches one page of certificates, keeping the previous one while the next loads. */
export function useCertificates(params: ListParams) {
  const query = { ...toListQuery(params), page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(certificates.list, { query }), placeholderData: keepPreviousData })
}

type VersionedCertificate = Pick<Certificate, 'id' | 'version'>

/** Fetches the departments, courses and grades of the register, with their counts. */
export const useFacets = () => useQuery(q(certificates.facets))

/** Fetches the stored state of a certificate and its newest change, to resolve an edit conflict. */
export async function fetchTheirs(id: string): Promise<Theirs<Certificate>> {
  const [{ certificate }, { changes }] = await Promise.all([
    call(certificates.read, { params: { id } }),
    call(certificates.history, { params: { id }, query: { per_page: 1 } }),
  ])
  return { record: certificate, change: changes[0] }
}

/** Fetches all matching certificates as a file. */
export const fetchFile = (params: ListParams) =>
  download(certificates.list, { query: toListQuery(params), headers: { accept: 'text/csv' } })

/** Returns a function that refetches the lists, details, histories and letters of certificates. */
function useRefresh() {
  const client = useQueryClient()
  const { list, read, history, letters } = certificates
  return () =>
    Promise.all(
      [list, read, history, letters].map(route => client.invalidateQueries({ queryKey: queryKey(route) })),
    )
}

/** Returns a mutation that creates a certificate or updates the edited one. */
export function useSaveCertificate() {
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: ({ edited, body }: { edited: VersionedCertificate | undefined; body: CertificateBody }) =>
      edited === undefined
        ? call(certificates.create, { body })
        : call(certificates.update, { params: { id: edited.id }, body, headers: ifMatch(edited) }),
    onSuccess,
  })
}

/** Returns a mutation that restores a deleted certificate. If a version is given, it must still be the stored one. */
export function useRestoreCertificate() {
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: ({ id, version }: Pick<Certificate, 'id'> & Partial<VersionedCertificate>) =>
      call(certificates.restore, {
        params: { id },
        ...(version !== undefined && { headers: ifMatch({ version }) }),
      }),
    onSuccess,
  })
}

/** Returns a mutation that deletes a certificate; a failure shows as a browser alert (specification, section 8). */
export function useDeleteCertificate() {
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: ({ certificate, reason }: { certificate: VersionedCertificate; reason: string }) =>
      call(certificates.remove, {
        params: { id: certificate.id },
        query: { reason },
        headers: ifMatch(certificate),
      }),
    onSuccess,
    onError: error => window.alert(alertText(error)),
  })
}
