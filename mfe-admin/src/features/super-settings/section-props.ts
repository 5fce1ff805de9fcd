/** What every section takes: it tells whether it holds changes that are not saved. */
export interface SectionProps {
  onDirty: (dirty: boolean) => void
}
