import type { adminSettings } from '@portal/contract/admin-settings'
import type { HandlersOf } from '../http/serve.ts'
import { fee, feeHistory, updateFee } from './fee.ts'
import { settingHistory } from './history.ts'
import { institution, updateInstitution } from './institution.ts'
import { letter, updateLetter } from './letter.ts'
import { policies, updatePolicies } from './policies.ts'
import { tax, updateTax } from './tax.ts'
import { removeImage, uploadImage } from './upload-image.ts'

export const settingHandlers: HandlersOf<typeof adminSettings> = {
  fee,
  updateFee,
  feeHistory,
  tax,
  updateTax,
  policies,
  updatePolicies,
  institution,
  updateInstitution,
  letter,
  updateLetter,
  uploadImage,
  removeImage,
  history: settingHistory,
}
