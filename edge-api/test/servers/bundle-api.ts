import { nodeBinary, run } from '../../../scripts/lib/setup.mjs'

let done: Promise<void> | undefined

/** Bundles the API for Node and workerd from the current sources, once per process. */
export function bundled(): Promise<void> {
  done ??= run(nodeBinary(), ['edge-api/bundle.mjs']).then(code => {
    if (code !== 0) throw new Error('edge-api/bundle.mjs failed')
  })
  return done
}
