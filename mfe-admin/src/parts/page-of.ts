/** Parses the page number of a URL; an invalid one means page 1. */
export function pageOf(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? '1')
  return Number.isInteger(page) && page >= 1 ? page : 1
}
