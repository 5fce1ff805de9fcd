import type { letterFiles } from '@portal/contract/letter-files'
import { Fault } from '../fault.ts'
import type { HandlersOf } from '../serve.ts'
import { letterOrFail } from './found.ts'

const notYet = async (): Promise<never> => {
  throw new Fault('NOT_FOUND')
}

export const letterFileHandlers: HandlersOf<typeof letterFiles> = {
  pdf: async call => {
    await letterOrFail(call, call.params.code)
    return await notYet()
  },
  credential: async call => {
    await letterOrFail(call, call.params.code)
    return await notYet()
  },
  checkFile: notYet,
  checkCredential: notYet,
  email: notYet,
  zip: notYet,
}
