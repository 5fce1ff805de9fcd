import type { Assets } from '../ports.ts'
import { cacheControlOf } from './assets-cache.ts'

/** A worker's binding to the files that were uploaded with it (`tools/assemble.mjs`). */
export interface Files {
  fetch(request: Request): Promise<Response>
}

/** Serves built front ends from a worker's files; without a binding, it finds no file. */
export function bindingAssets(files: Files | undefined): Assets {
  return {
    async get(path, request) {
      const response = await files?.fetch(new Request(new URL(path, request.url), request))
      // 304 is a normal response. Other redirects are not passed on, because they would point to a path of the binding.
      if (!response || !(response.ok || response.status === 304)) return undefined
      const copy = new Response(response.body, response)
      copy.headers.set('Cache-Control', cacheControlOf(path))
      return copy
    },
  }
}
