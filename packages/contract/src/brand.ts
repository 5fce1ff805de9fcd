import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'

/** File name of a stored image: the SHA-256 of its bytes in hex, and its extension. */
export const IMAGE_NAME = /^([0-9a-f]{64})\.(png|jpg|svg)$/

/** The institution's branding, for pages and letters. */
export const brand = {
  stylesheet: route({
    method: 'GET',
    path: '/brand.css',
    access: 'public',
    summary: 'The institution’s colour as a style sheet.',
    reply: z.string(),
    media: ['text/css'],
  }),
  image: route({
    method: 'GET',
    path: '/images/{name}',
    access: 'public',
    summary: 'A logo, signature or stamp by its content hash; the content of a URL never changes.',
    params: z.object({ name: z.string().max(80) }),
    reply: z.string(),
    media: ['image/png', 'image/jpeg', 'image/svg+xml'],
  }),
}
