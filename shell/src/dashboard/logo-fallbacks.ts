import { logoSources } from '@portal/ui/logo'

/** Addresses of the institution's logo to try: as set, then the same name as png, jpg and svg. Without any: initials. */
export function logoFallbacks(logo: string | null | undefined): readonly string[] {
  if (!logo) return []
  if (logo.startsWith('data:')) return [logo]
  return [...new Set([logo, ...logoSources(logo.replace(/\.(?:png|jpe?g|svg)$/i, ''))])].filter(source =>
    /\.\w+$/.test(source),
  )
}
