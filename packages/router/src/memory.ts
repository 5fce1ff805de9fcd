// What a page that is drawn without a browser stands in, for tests.
// biome-ignore lint/performance/noBarrelFile: a facade, as in index.ts
export { MemoryRouter } from 'react-router-dom'
