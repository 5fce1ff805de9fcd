import { useSearchParams } from '@portal/router'

/** The page number in the URL (at least 1) and a setter that keeps other parameters. */
export function usePage() {
  const [search, setSearch] = useSearchParams()
  const given = search.get('page')
  return {
    page: given !== null && /^[1-9]\d{0,5}$/.test(given) ? Number(given) : 1,
    onPage: (page: number, replace = false) => {
      const next = new URLSearchParams(search)
      if (page > 1) next.set('page', String(page))
      else next.delete('page')
      setSearch(next, { replace })
    },
  }
}
