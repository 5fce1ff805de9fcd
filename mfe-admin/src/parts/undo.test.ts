import { onToast, type ToastMessage, withToast } from '@portal/ui/toast-store'
import { isValidElement } from 'react'
import { expect, test, vi } from 'vitest'
import { showUndo } from './undo.tsx'

test('replaces the offer to undo with an error if undoing fails', async () => {
  vi.stubGlobal('window', new EventTarget())
  let shown: readonly ToastMessage[] = []
  const unsubscribe = onToast(toast => {
    shown = withToast(shown, toast)
  })
  showUndo({
    key: 'user-1',
    message: 'User disabled.',
    undo: () => Promise.reject(new Error('The user no longer exists.')),
  })
  expect(shown).toMatchObject([{ tone: 'success' }])
  const content = shown[0]?.message
  const { undo } = isValidElement<{ undo: () => Promise<unknown> }>(content) ? content.props : {}
  expect(await undo?.()).toBeUndefined()
  expect(shown).toEqual([
    { tone: 'danger', key: 'user-1', message: expect.stringMatching(/^Could not undo\. ./) },
  ])
  unsubscribe()
})
