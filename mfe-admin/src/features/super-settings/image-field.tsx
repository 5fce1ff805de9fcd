import { ifMatch, isConflict } from '@portal/account-ui/conflict'
import { call } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import { queryKey } from '@portal/api/query'
import { adminSettings, type ImageKind, MAX_IMAGE } from '@portal/contract/admin-settings'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { FormActions } from '@portal/ui/form-layout'
import { Panel } from '@portal/ui/panel'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ImagePlus, Trash2, Upload } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { readImage } from './read-image.ts'
import styles from './super-settings.module.css'

interface Props {
  kind: ImageKind
  title: string
  description: ReactNode
  /** URL of the current image; null if there is none. */
  image: string | null
  /** The version of the settings that have the image. */
  version: number
  /** Called after an image was uploaded or removed. */
  onSaved?: () => void
}

interface Chosen {
  file: File
  /** Data URL of the chosen file. */
  preview: string
}

/** Image setting: the current image, a preview before upload, and removal. */
export function ImageField({ kind, title, description, image, version, onSaved }: Props) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Chosen>()
  const [wrong, setWrong] = useState<string>()
  const [removing, setRemoving] = useState(false)
  const name = title.toLowerCase()

  const refetch = () =>
    Promise.all(
      [adminSettings.institution, adminSettings.letter, adminSettings.history].map(route =>
        client.invalidateQueries({ queryKey: queryKey(route) }),
      ),
    )
  const renew = async () => {
    setChosen(undefined)
    setRemoving(false)
    onSaved?.()
    await refetch()
  }
  function fail(error: unknown) {
    setRemoving(false)
    setWrong((isApiError(error) ? error.fields.file : undefined) ?? messageOf(error))
    // The next attempt applies to the settings as they are now.
    if (isConflict(error)) void refetch()
  }
  const upload = useMutation({
    mutationFn: (file: File) => {
      const body = new FormData()
      body.append('file', file)
      return call(adminSettings.uploadImage, { params: { kind }, body, headers: ifMatch({ version }) })
    },
    onSuccess: renew,
    onError: fail,
  })
  const remove = useMutation({
    mutationFn: () => call(adminSettings.removeImage, { params: { kind }, headers: ifMatch({ version }) }),
    onSuccess: renew,
    onError: fail,
  })
  const done = upload.data?.message ?? remove.data?.message

  function forget() {
    upload.reset()
    remove.reset()
    setWrong(undefined)
  }

  function askToRemove() {
    forget()
    setRemoving(true)
  }

  async function choose(file: File) {
    forget()
    setChosen(undefined)
    try {
      setChosen({ file, preview: await readImage(file, kind) })
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error))
    }
  }

  const shown = chosen?.preview ?? image
  return (
    <Panel title={title} description={description}>
      <div className={styles.image}>
        <div className={styles.picture} data-kind={kind}>
          {shown ? (
            <img src={shown} alt={chosen ? `New ${name}, not uploaded yet` : `Current ${name}`} />
          ) : (
            <span className={styles.none}>No {name} yet</span>
          )}
        </div>
        <p className={styles.fileWords} aria-live="polite">
          {chosen
            ? `${chosen.file.name}, ${Math.ceil(chosen.file.size / 1000)} kB. Not uploaded yet.`
            : `${kind === 'logo' ? 'PNG, JPEG or SVG' : 'PNG or JPEG'}, at most ${MAX_IMAGE / 1000} kB.`}
        </p>
        {wrong && <Alert tone="danger">{wrong}</Alert>}
        {done && !chosen && !wrong && <Alert tone="success">{done}</Alert>}
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
              <Button
                variant="quiet"
                size="sm"
                disabled={upload.isPending}
                onClick={() => {
                  setChosen(undefined)
                  setWrong(undefined)
                }}
              >
                Cancel
              </Button>
            </>
          ) : (
            <Button size="sm" icon={ImagePlus} onClick={() => input.current?.click()}>
              {image ? `Replace ${name}` : `Choose a ${name}`}
            </Button>
          )}
          {image && !chosen && (
            <Button variant="quiet" size="sm" icon={Trash2} onClick={askToRemove}>
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
            if (file) void choose(file)
            // Reset so that the same file can be chosen again after editing it.
            event.target.value = ''
          }}
        />
      </div>
      <ConfirmDialog
        open={removing}
        title={`Remove the ${name}?`}
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onCancel={() => setRemoving(false)}
      >
        New letters are issued without it. Letters already issued keep it.
      </ConfirmDialog>
    </Panel>
  )
}
