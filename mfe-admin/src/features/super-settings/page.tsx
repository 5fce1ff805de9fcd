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

const parts: Record<SectionId, ComponentType<SectionProps>> = {
  institution: InstitutionSection,
  letter: LetterSection,
  images: ImagesSection,
  policies: PoliciesSection,
}

/** Settings of the institution, the letter and the policies; each section is saved separately. */
export default function SuperSettingsPage() {
  const [search, setSearch] = useSearchParams()
  const [dirty, setDirty] = useState(false)
  const { guarded, question } = useLeaveGuard(dirty)
  const chosen = sections.find(({ id }) => id === search.get('section'))?.id ?? 'institution'
  const Section = parts[chosen]
  const choose = (id: SectionId) => {
    if (id === chosen) return
    guarded(() => {
      setDirty(false)
      setSearch(id === 'institution' ? {} : { section: id }, { replace: true })
    })
  }
  return (
    <>
      <PageHeader
        title="Super Admin Settings"
        description="The institution’s details, the text of its letters, and the portal’s policies. Letters already issued never change."
      />
      <Tabs label="Super admin settings" tabs={sections} value={chosen} onChange={choose}>
        <Section key={chosen} onDirty={setDirty} />
      </Tabs>
      {question}
    </>
  )
}
