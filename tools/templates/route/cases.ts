import { by, type CasesOf } from '../../../edge-api/test/parity/cases.ts'
import type { sampleDomain } from './contract.ts'

export const sampleDomainCases: CasesOf<typeof sampleDomain> = {
  sampleCall: { succeeds: by('user') },
}
