import type { adminSettings } from '@portal/contract/admin-settings'
import type { HandlersOf } from '../http/serve.ts'
import { showFee, showFeeHistory, updateFee } from './fee.ts'
import { showSettingHistory } from './history.ts'
import { showInstitution, updateInstitution } from './institution.ts'
import { showLetter, updateLetter } from './letter.ts'
import { showPolicies, updatePolicies } from './policies.ts'
import { showTax, updateTax } from './tax.ts'
import { removeImage, uploadImage } from './upload-image.ts'

export const settingHandlers: HandlersOf<typeof adminSettings> = {
  fee: showFee,
  updateFee,
  feeHistory: showFeeHistory,
  tax: showTax,
  updateTax,
  policies: showPolicies,
  updatePolicies,
  institution: showInstitution,
  updateInstitution,
  letter: showLetter,
  updateLetter,
  uploadImage,
  removeImage,
  history: showSettingHistory,
}
