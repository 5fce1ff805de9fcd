/*
 * What only a host needs: the shell, and each micro-frontend's entry when it stands alone. Kept out of the shared
 * facade, so that no remote carries it. The data router would cost the landing page 17 kB more (gzip).
 */
// biome-ignore lint/performance/noBarrelFile: a facade, as in index.ts
export { BrowserRouter } from 'react-router-dom'
