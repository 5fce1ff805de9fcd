/** Props of every section, which report whether it has unsaved changes. */
export interface SectionProps {
  onDirty: (dirty: boolean) => void
}
