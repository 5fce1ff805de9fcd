/** Props of every section. */
export interface SectionProps {
  /** Called when the section gets unsaved changes, or no longer has any. */
  onDirty: (isDirty: boolean) => void
}
