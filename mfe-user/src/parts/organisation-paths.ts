import { paths } from '@portal/router/paths'

export const organisationsPath = paths.dashboard('organisations')

/** Returns the page of an organisation, or one below it, e.g. `organisationPath(id, 'batches', batch.id)`. */
export const organisationPath = (id: string, ...segments: string[]) =>
  [organisationsPath, id, ...segments]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/')
