import { type ImageKind, MAX_IMAGE_BYTES } from '@portal/contract/admin-settings'

const raster = ['image/png', 'image/jpeg']

/**
 * Reads a chosen image as a data URL for its preview. Checks the type and size; the server checks the content.
 * @throws Error with a message for the user
 */
export async function readImage(file: File, kind: ImageKind): Promise<string> {
  const accepted = kind === 'logo' ? [...raster, 'image/svg+xml'] : raster
  if (!accepted.includes(file.type))
    throw new Error(`Please choose ${kind === 'logo' ? 'a PNG, JPEG or SVG' : 'a PNG or JPEG'} image.`)
  if (file.size > MAX_IMAGE_BYTES)
    throw new Error('This image is too large: please choose one of at most 200 kB.')
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('This file could not be read. Please choose another.'))
    reader.readAsDataURL(file)
  })
}
