import { type Pagination, paginate } from '@portal/contract/shapes'

/** Returns one page of rows with its pagination. */
export function paginateRows<Row>(
  all: readonly Row[],
  { page, per_page }: { page: number; per_page: number },
): { rows: Row[]; pagination: Pagination } {
  const from = (page - 1) * per_page
  return { rows: all.slice(from, from + per_page), pagination: paginate(page, per_page, all.length) }
}
