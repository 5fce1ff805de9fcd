import { useSearchParams } from '@portal/router'
import { readPage } from '@portal/router/params'

/** Returns the page number in the URL (at least 1) and a setter that keeps other parameters. */
export function usePage() {
  const [search, setSearch] = useSearchParams()
  return {
    page: readPage(search),
    onPage: (page: number, replace = false) => {
      const next = new URLSearchParams(search)
      if (page > 1) next.set('page', String(page))
      else next.delete('page')
      setSearch(next, { replace })
    },
  }
}
