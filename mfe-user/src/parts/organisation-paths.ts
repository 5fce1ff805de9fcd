import { paths } from '@portal/router/paths'

export const organisationsPath = paths.dashboard('organisations')

/** Returns the page of an organisation, or one below it, e.g. `organisationPath(id, 'batches', batch.id)`. */
export const organisationPath = (id: string, ...below: string[]) =>
  [organisationsPath, id, ...below].map((part, at) => (at === 0 ? part : encodeURIComponent(part))).join('/')
