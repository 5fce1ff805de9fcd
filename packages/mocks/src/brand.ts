import type { brand as routes } from '@portal/contract/brand'
import { HttpResponse } from 'msw'
import { Fault } from './fault.ts'
import type { HandlersOf } from './serve.ts'

const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', svg: 'image/svg+xml' }

export const brand: HandlersOf<typeof routes> = {
  stylesheet: ({ state }) =>
    new HttpResponse(state.settings.accent === null ? '' : `:root{--brand:${state.settings.accent}}\n`, {
      headers: { 'content-type': 'text/css; charset=utf-8' },
    }),
  image({ params, state }) {
    const data = state.settings.images[`/api/images/${params.name}`]
    if (data === undefined) throw new Fault('NOT_FOUND')
    const bytes = Uint8Array.from(atob(data.slice(data.indexOf(',') + 1)), character =>
      character.charCodeAt(0),
    )
    return new HttpResponse(bytes, {
      headers: { 'content-type': types[params.name.split('.').at(-1) ?? ''] ?? 'application/octet-stream' },
    })
  },
}
