import { logoSources } from '@portal/ui/logo'

/**
 * Returns the addresses at which to look for the institution's logo: the configured one, then the same name as png, jpg and
 * svg. If all fail, initials are shown.
 */
export function logoFallbacks(logo: string | null | undefined): readonly string[] {
  if (!logo) return []
  if (logo.startsWith('data:')) return [logo]
  return [...new Set([logo, ...logoSources(logo.replace(/\.(?:png|jpe?g|svg)$/i, ''))])].filter(source =>
    /\.\w+$/.test(source),
  )
}
