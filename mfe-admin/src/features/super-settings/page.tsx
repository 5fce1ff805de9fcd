import { useSearchParams } from '@portal/router'
import { PageHeader } from '@portal/ui/page-header'
import { Tabs } from '@portal/ui/tabs'
import { type ComponentType, useState } from 'react'
import { ImagesSection } from './images-section.tsx'
import { InstitutionSection } from './institution-section.tsx'
import { useLeaveGuard } from './leave-guard.tsx'
import { LetterSection } from './letter-section.tsx'
import { PoliciesSection } from './policies-section.tsx'
import type { SectionProps } from './section-props.ts'

const sections = [
  { id: 'institution', label: 'Institution' },
  { id: 'letter', label: 'Letter' },
  { id: 'images', label: 'Signature and stamp' },
  { id: 'policies', label: 'Policies' },
] as const

type SectionId = (typeof sections)[number]['id']

const sectionComponents: Record<SectionId, ComponentType<SectionProps>> = {
  institution: InstitutionSection,
  letter: LetterSection,
  images: ImagesSection,
  policies: PoliciesSection,
}

/** Settings of the institution, the letter and the policies; each section is saved separately. */
export default function SuperSettingsPage() {
  const [search, setSearch] = useSearchParams()
  const [isDirty, setIsDirty] = useState(false)
  const { runGuarded, confirmation } = useLeaveGuard(isDirty)
  const currentId = sections.find(({ id }) => id === search.get('section'))?.id ?? 'institution'
  const Section = sectionComponents[currentId]
  const choose = (id: SectionId) => {
    if (id === currentId) return
    runGuarded(() => {
      setIsDirty(false)
      setSearch(id === 'institution' ? {} : { section: id }, { replace: true })
    })
  }
  return (
    <>
      <PageHeader
        title="Super Admin Settings"
        description="The institution’s details, the text of its letters, and the portal’s policies. Letters already issued never change."
      />
      <Tabs label="Super admin settings" tabs={sections} value={currentId} onChange={choose}>
        <Section key={currentId} onDirty={setIsDirty} />
      </Tabs>
      {confirmation}
    </>
  )
}
