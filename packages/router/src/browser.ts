/*
 * What only a host needs: the shell, and each micro-frontend's entry when it stands alone. Kept out of the shared
 * facade, so that no remote carries it.
 */
// biome-ignore lint/performance/noBarrelFile: a facade, as in index.ts
export { createBrowserRouter, RouterProvider, redirect, useRouteError } from 'react-router-dom'
