import { paths } from '@portal/router/paths'

export const organisationsPath = paths.dashboard('organisations')

/**
 * Returns the address of an organisation's page, or of a page below it, such as `organisationPath(id, 'batches', batch.id)`.
 */
export const organisationPath = (id: string, ...segments: string[]) =>
  [organisationsPath, id, ...segments]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/')
