import type { letters } from '@portal/contract/letter'
import type { HandlersOf } from '../http/serve.ts'
import { checkOf } from './check.ts'
import { letterOrFail } from './letter-by-code.ts'
import { isSpecimen, specimenCheck } from './specimen.ts'

export const letterHandlers: HandlersOf<typeof letters> = {
  check: async call =>
    isSpecimen(call.params.code)
      ? await specimenCheck(call)
      : await checkOf(call, await letterOrFail(call, call.params.code)),
}
