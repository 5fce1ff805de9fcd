import { type brand, IMAGE_NAME } from '@portal/contract/brand'
import { Fault } from '../fault.ts'
import type { HandlersOf } from '../http/serve.ts'
import { findImage } from './image-store.ts'
import { readSettings } from './store.ts'

/**
 * Caching of the style sheet with the institution's colour. (It is a separate file, so that pages can load it without a
 * script.) Browsers use a copy for a minute; after that, they use it once more, while they fetch a new one.
 */
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=604800'

export const brandHandlers: HandlersOf<typeof brand> = {
  stylesheet: async ({ db }) => {
    const { institution } = await readSettings(db.read)
    const css = institution.accent === null ? '' : `:root{--brand:${institution.accent}}\n`
    return new Response(css, {
      headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': CACHE_CONTROL },
    })
  },

  image: async ({ db, params }) => {
    const [, hash] = IMAGE_NAME.exec(params.name) ?? []
    const image = hash === undefined ? undefined : await findImage(db.read, { hash })
    if (!image) throw new Fault('NOT_FOUND')
    return new Response(image.bytes, {
      headers: {
        'Content-Type': image.type,
        'Content-Disposition': 'inline',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
    })
  },
}
