/** Success messages to show if a response has none, because the specification does not guarantee one. */
export const successTexts = {
  registered: 'Registration successful! Please check your email to verify your account.',
  resetLinkSent: 'If an account exists for this address, a password reset link is on its way.',
  verificationSent:
    'If this address belongs to an account that is not verified yet, a new verification link is on its way.',
} as const
