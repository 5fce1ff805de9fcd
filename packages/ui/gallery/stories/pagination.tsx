import { Pagination } from '@portal/ui/pagination'
import { useState } from 'react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Data',
  title: 'Pagination',
  text: 'Moves through the pages of a list. With one page, only the total is shown.',
}

export function InTheMiddle() {
  const [page, setPage] = useState(2)
  return <Pagination page={page} pages={5} onPage={setPage} total="93 verifications" />
}

export function FirstPage() {
  return <Pagination label="Pages of users" page={1} pages={2} onPage={() => undefined} total="31 users" />
}

export function Busy() {
  return <Pagination label="Pages that load" page={2} pages={5} onPage={() => undefined} busy />
}

export function OnePage() {
  return <Pagination page={1} pages={1} onPage={() => undefined} total="3 verifications" />
}
