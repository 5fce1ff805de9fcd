import { paths } from '@portal/router/paths'
import { describe, expect, it } from 'vitest'
import { dialogOf } from './dialog-state.ts'

describe('dialogOf', () => {
  it.each(['login', 'register', 'forgot-password'] as const)('returns the dialog %s for its URL', name =>
    expect(dialogOf(new URL(paths.homeDialog(name), 'http://portal.test').search)).toBe(name),
  )
  it.each(['', '?dialog=', '?dialog=admin', '?other=login'])('returns no dialog for %j', search =>
    expect(dialogOf(search)).toBeUndefined(),
  )
})
