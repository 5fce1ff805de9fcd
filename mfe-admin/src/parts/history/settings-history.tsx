import { q } from '@portal/api/query'
import type { SettingGroup } from '@portal/contract/admin-settings'
import { Link, useLocation, useNavigate, useSearchParams } from '@portal/router'
import { Drawer } from '@portal/ui/drawer'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settingsHistory } from '../screen-endpoints.ts'
import { HistoryList } from './history-list.tsx'

const titles: Record<SettingGroup, string> = {
  fee: 'History of the verification fee',
  tax: 'History of the tax',
  policies: 'History of the policies',
  institution: 'History of the institution’s profile',
  letter: 'History of the letter',
}

/** Link that opens the history of a group of settings in a drawer. Only for super admins. */
export function SettingsHistory({ group }: { group: SettingGroup }) {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const pathWithHistory = (history: string | undefined) => {
    const query = new URLSearchParams(search)
    if (history === undefined) query.delete('history')
    else query.set('history', history)
    const text = query.toString()
    return text === '' ? pathname : `${pathname}?${text}`
  }
  return (
    <>
      <Link to={pathWithHistory(group)}>History</Link>
      <Drawer
        open={search.get('history') === group}
        onClose={() => void navigate(pathWithHistory(undefined))}
        title={titles[group]}
        side="end"
      >
        <Changes group={group} />
      </Drawer>
    </>
  )
}

function Changes({ group }: { group: SettingGroup }) {
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...q(settingsHistory, { params: { group }, query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  return <HistoryList query={query} page={page} onPage={setPage} mayBeIncomplete={false} />
}
