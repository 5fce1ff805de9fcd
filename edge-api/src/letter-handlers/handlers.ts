import type { letters } from '@portal/contract/letter'
import type { HandlersOf } from '../http/serve.ts'
import { checkLetter } from './check.ts'
import { requireLetter } from './letter-by-code.ts'
import { checkSpecimen, isSpecimen } from './specimen.ts'

export const letterHandlers: HandlersOf<typeof letters> = {
  check: async call =>
    isSpecimen(call.params.code)
      ? await checkSpecimen(call)
      : await checkLetter(call, await requireLetter(call, call.params.code)),
}
