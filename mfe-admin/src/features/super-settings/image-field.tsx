import { type ImageKind, MAX_IMAGE_BYTES } from '@portal/contract/admin-settings'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { FormActions } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { ImagePlus, Trash2, Upload } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import styles from './super-settings.module.css'
import { useImageSetting } from './use-image-setting.ts'

interface Props {
  kind: ImageKind
  title: string
  description: ReactNode
  /** The URL of the current image; null if there is none. */
  image: string | null
  /** The version of the settings to which the image belongs. */
  version: number
  /** Called after an image was uploaded or removed. */
  onSaved?: () => void
}

/** Image setting: the current image, a preview before upload, and removal. */
export function ImageField({ kind, title, description, image, version, onSaved }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const setting = useImageSetting({ kind, version, onSaved })
  const { chosen, problem, upload, remove } = setting
  const name = title.toLowerCase()
  const source = chosen?.preview ?? image
  const successMessage = upload.data?.message ?? remove.data?.message
  return (
    <Panel title={title} description={description}>
      <div className={styles.image}>
        <div className={styles.picture} data-kind={kind}>
          {source ? (
            <img src={source} alt={chosen ? `New ${name}, not uploaded yet` : `Current ${name}`} />
          ) : (
            <span className={styles.none}>No {name} yet</span>
          )}
        </div>
        <p className={styles.fileWords} aria-live="polite">
          {chosen
            ? `${chosen.file.name}, ${Math.ceil(chosen.file.size / 1000)} kB. Not uploaded yet.`
            : `${kind === 'logo' ? 'PNG, JPEG or SVG' : 'PNG or JPEG'}, at most ${MAX_IMAGE_BYTES / 1000} kB.`}
        </p>
        {problem && <Alert tone="danger">{problem}</Alert>}
        {successMessage && !chosen && !problem && <Alert tone="success">{successMessage}</Alert>}
        <FormActions>
          {chosen ? (
            <>
              <Button
                variant="primary"
                size="sm"
                icon={Upload}
                busy={upload.isPending}
                busyLabel="Uploading…"
                onClick={() => upload.mutate(chosen.file)}
              >
                Upload {name}
              </Button>
              <Button variant="quiet" size="sm" disabled={upload.isPending} onClick={setting.cancelChoice}>
                Cancel
              </Button>
            </>
          ) : (
            <Button size="sm" icon={ImagePlus} onClick={() => input.current?.click()}>
              {image ? `Replace ${name}` : `Choose a ${name}`}
            </Button>
          )}
          {image && !chosen && (
            <Button variant="quiet" size="sm" icon={Trash2} onClick={setting.askToRemove}>
              Remove {name}
            </Button>
          )}
        </FormActions>
        <input
          ref={input}
          type="file"
          accept={kind === 'logo' ? 'image/png,image/jpeg,image/svg+xml' : 'image/png,image/jpeg'}
          hidden
          aria-label={`${title} file`}
          onChange={event => {
            const [file] = event.target.files ?? []
            if (file) void setting.choose(file)
            // The input is reset, so that the same file can be chosen again after editing it.
            event.target.value = ''
          }}
        />
      </div>
      <ConfirmDialog
        open={setting.removing}
        title={`Remove the ${name}?`}
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onCancel={setting.cancelRemoval}
      >
        New letters are issued without it. Letters already issued keep it.
      </ConfirmDialog>
    </Panel>
  )
}
