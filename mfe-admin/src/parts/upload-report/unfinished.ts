import type { Upload } from '@portal/contract/admin-uploads'

export const isUnfinished = ({ state }: Pick<Upload, 'state'>): boolean =>
  state === 'receiving' || state === 'importing'
