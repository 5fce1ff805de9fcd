import type { Assets } from '../ports.ts'
import { cacheControlOf } from './assets-cache.ts'

/** A worker's binding to the files that were uploaded with it (`tools/assemble.mjs`). */
export interface Files {
  fetch(request: Request): Promise<Response>
}

/** Serves built front ends from a worker's files, or nothing if there is no binding. */
export function bindingAssets(files: Files | undefined): Assets {
  return {
    async get(path, request) {
      const response = await files?.fetch(new Request(new URL(path, request.url), request))
      // 304 is a normal response; a redirect would lead to a path of the binding.
      if (!response || !(response.ok || response.status === 304)) return undefined
      const copy = new Response(response.body, response)
      copy.headers.set('Cache-Control', cacheControlOf(path))
      return copy
    },
  }
}
