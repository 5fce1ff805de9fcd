import { ifMatch } from '@portal/account-ui/conflict'
import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { queryKey } from '@portal/api/query'
import type { Organisation } from '@portal/contract/organisation-shapes'
import { showToast } from '@portal/ui/toast-store'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { activityLogs } from '../../parts/endpoints.ts'
import { organisations } from '../../parts/organisation-endpoints.ts'

export type StateAction = 'vet' | 'unvet' | 'resume' | 'close' | 'reopen'

/** Returns a function that refetches every query about organisations. */
export function useRefresh() {
  const client = useQueryClient()
  const routes = [organisations.list, organisations.read, organisations.movements, activityLogs.list]
  return () => Promise.all(routes.map(route => client.invalidateQueries({ queryKey: queryKey(route) })))
}

/**
 * Returns a function to call after a change. The function refetches the organisation, shows the server's message, and closes
 * the dialog.
 */
export function useFinishChange(onClose: () => void) {
  const refresh = useRefresh()
  return async ({ message }: { message: string }) => {
    await refresh()
    showToast({ tone: 'success', message })
    onClose()
  }
}

function sendAction(action: StateAction, organisation: Organisation): Promise<{ message: string }> {
  const input = { params: { id: organisation.id }, headers: ifMatch(organisation) }
  switch (action) {
    case 'vet':
      return call(organisations.vet, input)
    case 'unvet':
      return call(organisations.unvet, input)
    case 'resume':
      return call(organisations.resume, input)
    case 'close':
      return call(organisations.close, input)
    case 'reopen':
      return call(organisations.reopen, input)
  }
}

/** Returns a mutation that changes the state of an organisation, and shows a toast. */
export function useChangeState(organisation: Organisation, onSettled: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (action: StateAction) => sendAction(action, organisation),
    onSuccess: ({ message }) => showToast({ tone: 'success', message }),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
    onSettled: () => {
      onSettled()
      return refresh()
    },
  })
}
