import { Field } from '@portal/ui/field'
import { Narrow } from '../layout.tsx'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Field',
  text: 'Label, help and error around a custom control. Text, password, date and selection have components.',
}

/** Style of a box that is as high as the other fields and no wider than a phone. */
const high = { minHeight: 'var(--control)', maxWidth: '100%' }

export function AroundAControl() {
  return (
    <Narrow>
      <Field label="Institution colour" help="Buttons, links and headings use it.">
        {control => <input type="color" defaultValue="#1b5e4a" style={high} {...control} />}
      </Field>
    </Narrow>
  )
}

export function WithError() {
  return (
    <Narrow>
      <Field label="Logo" error="Use a PNG, JPEG or SVG file of up to 2 MB">
        {control => <input type="file" style={high} {...control} />}
      </Field>
    </Narrow>
  )
}
