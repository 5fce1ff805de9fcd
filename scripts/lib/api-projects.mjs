/**
 * The projects that run the whole API suite on the combinations for which `npm test` only tests the main paths
 * (`edge-api/src/runtimes/combinations.test.ts`). `npm run test:full` runs these projects one after another.
 */
export const otherApiProjects = [
  'api-worker-sqld',
  'api-node-file',
  'api-deno-sqld',
  'api-node-sqld',
  'api-deno-replica',
  'api-node-replica',
  'api-worker-replica',
]
