/** What the certificate list's address holds: `?search=…&page=…`. */
export interface ListParams {
  search: string
  page: number
}

/** Reads the address; anything that is no page number means the first page. */
export function readListParams(query: URLSearchParams): ListParams {
  const page = Number(query.get('page') ?? '1')
  return { search: query.get('search') ?? '', page: Number.isInteger(page) && page >= 1 ? page : 1 }
}

/** The address of a list; what is as usual is left out, so that addresses stay short. */
export function writeListParams({ search, page }: ListParams): URLSearchParams {
  const query = new URLSearchParams()
  if (search !== '') query.set('search', search)
  if (page > 1) query.set('page', String(page))
  return query
}
