import { q } from '@portal/api/query'
import { adminSettings, type LetterSettings } from '@portal/contract/admin-settings'
import { useQuery } from '@tanstack/react-query'
import { requireData } from '../../parts/require-data.ts'
import { completeLetter } from './complete-settings.ts'
import { ImageField } from './image-field.tsx'
import { LetterPreview } from './letter-preview.tsx'
import { Loaded } from './loaded.tsx'
import styles from './super-settings.module.css'

/** Section for signature and stamp, with a preview of the letter. An upload is saved immediately. */
export function ImagesSection() {
  const query = useQuery({ ...q(adminSettings.letter), select: requireData(({ name }) => name) })
  return <Loaded query={query}>{loaded => <Images settings={completeLetter(loaded)} />}</Loaded>
}

function Images({ settings }: { settings: LetterSettings }) {
  const { name, title, for: office, email, subject, opening, closing, thanks, ...images } = settings
  return (
    <div className={styles.columns} data-wide>
      <div className={styles.aside}>
        <ImageField
          kind="signature"
          title="Signature"
          description="Use an image of about 600 by 200 pixels with a transparent or white background. Without a signature image, letters have a signature line."
          image={images.signature_image}
          version={images.version}
        />
        <ImageField
          kind="stamp"
          title="Stamp"
          description="Use a square image, about 400 by 400 pixels. Without one, letters have a placeholder."
          image={images.stamp_image}
          version={images.version}
        />
      </div>
      <LetterPreview
        signature={{
          name,
          title,
          for: office,
          email,
          signature_image: images.signature_image,
          stamp_image: images.stamp_image,
        }}
        texts={{ subject, opening, closing, thanks }}
      />
    </div>
  )
}
