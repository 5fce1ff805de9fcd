/* Only for hosts: the shell and each micro-frontend's standalone entry. This file is separate from the shared facade so
   that no remote bundles it. A data router would add 17 kB (gzip) to the landing page. */
// biome-ignore lint/performance/noBarrelFile: a facade, as in index.ts
export { BrowserRouter } from 'react-router-dom'
