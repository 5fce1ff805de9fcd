/** Props of every section. A section reports whether it has unsaved changes. */
export interface SectionProps {
  onDirty: (dirty: boolean) => void
}
