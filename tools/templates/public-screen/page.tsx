import { Prose } from '../../../mfe-public/src/parts/prose.tsx'

/** A public page that needs no session. */
export default function SampleScreenPage() {
  return (
    <Prose
      title="Sample Screen"
      description="Sample Screen of the certificate verification portal."
      lead="A new page. Describe it here in a sentence or two."
    >
      <h2 id="more">More information</h2>
      <p>Write the rest of the page here.</p>
    </Prose>
  )
}
