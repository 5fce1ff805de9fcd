import type { letters } from '@portal/contract/letter'
import type { HandlersOf } from '../http/serve.ts'
import { checkOf } from './check.ts'
import { letterOrFail } from './letter-by-code.ts'

export const letterHandlers: HandlersOf<typeof letters> = {
  check: async call => await checkOf(call, await letterOrFail(call, call.params.code)),
}
