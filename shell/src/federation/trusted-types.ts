import { scriptOrigins } from './config.ts'
import { uncachedUrl } from './retries.ts'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown
}

const trustedTypes = (window as { trustedTypes?: TrustedTypes }).trustedTypes

// The page requires Trusted Types for scripts; this one policy decides which addresses may become scripts. The policy has no
// rule for HTML or script text, so those stay forbidden.
trustedTypes?.createPolicy('default', {
  createScriptURL: url => (scriptOrigins().has(new URL(url, location.href).origin) ? uncachedUrl(url) : null),
})
