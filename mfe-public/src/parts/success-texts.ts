/** Success messages for replies without one, which the specification does not guarantee. */
export const successTexts = {
  registered: 'Registration successful! Please check your email to verify your account.',
  resetLinkSent: 'If an account exists for this address, a password reset link is on its way.',
  verificationSent:
    'If this address belongs to an account that is not verified yet, a new verification link is on its way.',
} as const
