import { type CasesOf, callBy } from '../../../edge-api/test/parity/cases.ts'
import type { sampleDomain } from './contract.ts'

export const sampleDomainCases: CasesOf<typeof sampleDomain> = {
  sampleCall: { succeeds: callBy('user') },
}
