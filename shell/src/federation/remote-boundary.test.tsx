import { expect, it, vi } from 'vitest'
import { RemoteBoundary } from './remote-boundary.tsx'

vi.mock('./remotes.ts', () => ({ reportRemoteError: () => undefined }))

const propsAt = (path: string) => ({
  name: 'mfe-user' as const,
  path,
  onRetry: () => undefined,
  children: null,
})
const { getDerivedStateFromProps } = RemoteBoundary

it('clears an error once when the address changes, and keeps an error of the new page', () => {
  const failed = { path: '/dashboard/history', error: new Error('broken') }
  expect(getDerivedStateFromProps(propsAt('/dashboard/history'), failed)).toBeNull()
  const cleared = getDerivedStateFromProps(propsAt('/dashboard/verify'), failed)
  expect(cleared).toEqual({ path: '/dashboard/verify', error: undefined })
  const failedAgain = { ...failed, ...cleared, error: new Error('broken too') }
  expect(getDerivedStateFromProps(propsAt('/dashboard/verify'), failedAgain)).toBeNull()
})
