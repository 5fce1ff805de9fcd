/** URL parameters of the certificate list: `?search=…&page=…`. */
export interface ListParams {
  search: string
  page: number
}

/** Parses the URL parameters; an invalid page number means page 1. */
export function readListParams(query: URLSearchParams): ListParams {
  const page = Number(query.get('page') ?? '1')
  return { search: query.get('search') ?? '', page: Number.isInteger(page) && page >= 1 ? page : 1 }
}

/** Serialises the URL parameters, leaving out defaults. */
export function writeListParams({ search, page }: ListParams): URLSearchParams {
  const query = new URLSearchParams()
  if (search !== '') query.set('search', search)
  if (page > 1) query.set('page', String(page))
  return query
}
