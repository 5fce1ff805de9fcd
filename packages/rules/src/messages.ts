/* Messages in responses, which the API and the mocks share. */

export const accountMessages = {
  updated: 'User updated successfully',
  enabled: 'User enabled successfully.',
  disabled: 'User disabled successfully.',
  addressVerified: 'User email verified successfully.',
  roleUpdated: 'User role updated successfully.',
  alreadyVerified: 'This email address is already verified.',
  registered: 'Registration successful! Please check your email to verify your account.',
  loggedOut: 'You have been logged out.',
  loggedOutElsewhere: 'You are logged out everywhere else.',
  resetMailed: 'If an account exists for this address, a password reset link is on its way.',
  linkUsable: 'This link is valid.',
  passwordReset: 'Password reset successful! You can now log in with your new password.',
  passwordSet: 'Your password is set. You can now log in.',
  verified: 'Email verified successfully!',
  verificationMailed:
    'If this address belongs to an account that is not verified yet, a new verification link is on its way.',
  profileUpdated: 'Profile updated successfully!',
  passwordChanged: 'Password changed successfully!',
  wrongOwnPassword: 'Your current password is not correct.',
} as const

export const secondFactorMessages = {
  wrongCode: 'This code is not correct or was already used. Please enter the next code of your app.',
  alreadySetUp: 'An authenticator app is already set up. Remove it first.',
  setUp: 'Your authenticator app is set up. Please keep the recovery codes.',
  newCodes: 'These are your new recovery codes; the old ones no longer work.',
  removed: 'Your authenticator app was removed.',
  reset: 'The authenticator app was removed from the account, which was logged out everywhere.',
} as const

export const erasureMessages = {
  staff: 'Staff accounts cannot be erased. Ask a super admin to change the role to user first.',
  cancelled: 'The account is kept. It will not be erased.',
} as const

export const certificateMessages = {
  added: 'Certificate added.',
  updated: 'Certificate updated.',
  withdrawn: 'Certificate withdrawn. Letters issued for it are no longer valid; its history is kept.',
  deleted: 'Certificate deleted.',
  restored: 'Certificate restored.',
} as const

export const registerJobMessages = {
  editing: 'The certificates are being changed.',
  deleting: 'The certificates are being deleted.',
  restoring: 'The certificates are being restored.',
  revertingUpload: 'The upload is being reverted.',
  revertingJob: 'The bulk change is being reverted.',
  ended: 'This job has already ended.',
  cancelled: 'The job was cancelled. Certificates changed so far stay changed.',
  noUpload: 'Upload not found.',
  noJob: 'Job not found.',
  numberInUse: 'Its number is in use again',
} as const

export const uploadMessages = {
  noFile: 'Please select a file first',
  notCsv: 'Please select a CSV file',
  ended: 'This upload has already ended.',
  empty: 'The file has no rows. Please add them below the header and upload it again.',
  openQuote: 'A quotation mark in this row is not closed.',
  mixedEncodings:
    'This row cannot be decoded: it is not UTF-8, but other parts of the file are. Please save the file as "CSV UTF-8".',
} as const

export const verificationMessages = {
  verified: 'Certificate verified successfully.',
  pending: 'Payment still pending. Please complete the payment.',
  refunded: 'Your payment was refunded.',
  nonePayable: 'None of these certificate numbers can be paid for.',
} as const

export const refundMessages = {
  approved: 'The refund was approved. The gateway is processing it.',
  processed: 'The refund was processed.',
  recorded: 'The bank transfer was recorded. The portal did not send any money itself.',
  refused: 'The gateway could not refund this payment.',
  needsManualAction: 'This refund needs attention at the gateway.',
  noAnswer: 'The gateway did not respond to the request for this refund.',
  underWay: 'This refund is already in progress or completed.',
  noBankAccount: 'The gateway cannot pay this refund to a bank account.',
  unknownPayment: 'The gateway has this payment, but the portal does not.',
  futureDay: 'Please choose today or an earlier day.',
} as const

export const disputeMessages = {
  answerStored: 'Your answer is saved. It will be sent as soon as the gateway can be reached.',
  accepted: 'The dispute was accepted. The gateway returns the money.',
  contested: 'The evidence was sent. The bank will now decide.',
  won: 'The dispute was won.',
  lost: 'The dispute was lost.',
  tooLate: 'The answer was too late: the gateway had already accepted the dispute.',
  pastDeadline: 'Please enter a deadline in the future.',
  noMoney: 'No money was received for this transaction.',
  tooMuch: 'This is more than the amount paid.',
  entered: 'The dispute was added.',
  noteSaved: 'The note was saved.',
  updated: 'The dispute was updated.',
} as const

export const settlementMessages = {
  noGateway: 'Please choose the gateway.',
  nothingNew: 'This file contains nothing new.',
  matched: 'Settlement report compared with the ledger.',
  explained: 'Difference marked as explained.',
} as const

export const letterMessages = {
  unchanged: 'Your letter is still valid as issued.',
  corrected: 'The corrected letter was issued. It replaces the previous one.',
  unknownCode: 'No letter has this code. Please compare it with the printed one.',
  misnamedPdf: 'This is a PDF: please give it a name that ends in .pdf.',
  misnamedCredential: 'This is a credential: please give it a name that ends in .jwt or .txt.',
  unknownFile: 'This file is neither a PDF letter nor a credential.',
} as const

export const settingsMessages = {
  feeUpdated: 'Verification fee updated.',
  policiesSaved: 'Policies saved.',
  institutionSaved: 'Institution profile saved.',
  letterSaved: 'Letter template saved.',
  misnamedPng: 'This is a PNG image: please give it a name that ends in .png.',
  misnamedJpeg: 'This is a JPEG image: please give it a name that ends in .jpg or .jpeg.',
  misnamedSvg: 'This is an SVG image: please give it a name that ends in .svg.',
} as const

export const requestMessages = {
  notJson: 'The request body is not valid JSON.',
  badKey: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  badKeyField: 'Use 1 to 255 visible ASCII characters.',
  invalidKey: 'Please send a valid API key as a bearer token.',
  readOnlyKey: 'This API key can only read.',
  retriedSoon: 'It will be retried within a minute.',
} as const
