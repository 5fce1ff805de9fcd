/*
 * Exports only for hosts: the shell, and the standalone entry of each micro-frontend. They are not in the shared facade, so
 * that no remote bundles them. A data router would add 17 kB (gzip) to the landing page.
 */
// biome-ignore lint/performance/noBarrelFile: a facade, as in index.ts
export { BrowserRouter } from 'react-router-dom'
