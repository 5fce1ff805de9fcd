/**
 * The projects that run the whole API suite on what `npm test` takes only the main paths of
 * (`edge-api/src/runtimes/combinations.test.ts`): one after the other, in `npm run test:full`.
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
