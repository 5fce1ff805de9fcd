// Router for tests that render without a browser.
// biome-ignore lint/performance/noBarrelFile: a facade, as in index.ts
export { MemoryRouter } from 'react-router-dom'
