import { type adminSettings, type ImageKind, MAX_IMAGE_BYTES } from '@portal/contract/admin-settings'
import { settingsMessages, uploadMessages } from '@portal/rules/messages'
import type { Tx } from '../db/database.ts'
import { sha256Hex } from '../digest.ts'
import { Fault, invalidField } from '../fault.ts'
import { type FilePart, openFilePart } from '../http/multipart.ts'
import type { Call, Handler } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { changeSetting, type SettingCall } from './changes.ts'
import { readGroupVersion, requireGroupVersion } from './history.ts'
import { insertImage } from './image-store.ts'
import { ImageRefusedError, imageAddressOf, isNamedAs, type Picture, readRaster } from './images.ts'
import { readSettings } from './store.ts'
import { cleanSvg, decodeSvgText, looksLikeSvg } from './svg.ts'

const labels: Record<ImageKind, string> = { logo: 'Logo', signature: 'Signature', stamp: 'Stamp' }

/** Maximum size of a body that is read to its end, in bytes, because its sender would otherwise not receive the error. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

/** Returns the group of settings to which an image belongs. */
const groupOf = (kind: ImageKind) => (kind === 'logo' ? 'institution' : 'letter')

const createInvalidFileFault = (message: string) => invalidField('file', message)

/** Reads a whole image. @throws Fault `PAYLOAD_TOO_LARGE` above 200 kB */
async function readImage(part: FilePart): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of part.bytes) {
    size += piece.byteLength
    if (size > MAX_IMAGE_BYTES) {
      const message = 'This image is too large: please choose one of at most 200 kB.'
      throw new Fault('PAYLOAD_TOO_LARGE', { message, fields: { file: message } })
    }
    // Copied, because each piece is a view of a buffer that is reused.
    pieces.push(piece.slice())
  }
  return Buffer.concat(pieces)
}

const describeAcceptedTypes = (kind: ImageKind) =>
  kind === 'logo' ? 'a PNG, JPEG or SVG image' : 'a PNG or JPEG image'

const misnamedMessages: Record<Picture['type'], string> = {
  'image/png': settingsMessages.misnamedPng,
  'image/jpeg': settingsMessages.misnamedJpeg,
  'image/svg+xml': settingsMessages.misnamedSvg,
}

function readPicture(bytes: Uint8Array, kind: ImageKind): Picture {
  try {
    const raster = readRaster(bytes)
    if (raster) return raster
    const text = kind === 'logo' ? decodeSvgText(bytes) : undefined
    if (text !== undefined && looksLikeSvg(text))
      return { type: 'image/svg+xml', bytes: new TextEncoder().encode(cleanSvg(text)) }
  } catch (error) {
    if (error instanceof ImageRefusedError) throw createInvalidFileFault(error.message)
    throw error
  }
  throw createInvalidFileFault(`Please choose ${describeAcceptedTypes(kind)}.`)
}

/** Sets or clears the address of an image in its settings. @returns whether anything changed */
async function setImage(
  tx: Tx,
  call: SettingCall,
  kind: ImageKind,
  address: string | null,
): Promise<boolean> {
  const { institution, signature } = await readSettings(tx)
  const details =
    kind === 'logo'
      ? await changeSetting(tx, call, 'institution', { ...institution, logo: address })
      : await changeSetting(tx, call, 'signature', { ...signature, [`${kind}_image`]: address })
  return details !== ''
}

/** Stores an image, and sets its address in the settings. */
export const uploadImage: Handler<typeof adminSettings.uploadImage> = async call => {
  const { kind } = call.params
  const { bytes, type } = await receivePicture(call, kind)
  const hash = sha256Hex(bytes)
  const image = imageAddressOf(hash, type)
  const version = await call.db.write(async tx => {
    await requireGroupVersion(tx, call, groupOf(kind))
    await insertImage(tx, { hash, type, bytes, at: call.ports.clock.now() })
    const details = `${type}, ${bytes.byteLength} bytes, SHA-256 ${hash.slice(0, 12)}…`
    if (await setImage(tx, call, kind, image))
      await recordChange(tx, call, { activity: `Settings: ${kind} image updated`, details })
    return await readGroupVersion(tx, groupOf(kind))
  })
  return { message: `${labels[kind]} saved.`, image, version }
}

async function receivePicture(
  call: Call<typeof adminSettings.uploadImage>,
  kind: ImageKind,
): Promise<Picture> {
  const part = await openFilePart(call.request, { name: 'file', limit: MAX_BODY_BYTES })
  if (!part) throw createInvalidFileFault(uploadMessages.noFile)
  try {
    const picture = readPicture(await readImage(part), kind)
    if (!isNamedAs(picture.type, part.filename)) throw createInvalidFileFault(misnamedMessages[picture.type])
    return picture
  } catch (error) {
    await part.drain()
    throw error
  }
}

/**
 * Clears the address of an image in the settings. The image itself is kept, because letters that were issued with it still show
 * it.
 */
export const removeImage: Handler<typeof adminSettings.removeImage> = async call => {
  const { kind } = call.params
  const version = await call.db.write(async tx => {
    await requireGroupVersion(tx, call, groupOf(kind))
    if (await setImage(tx, call, kind, null))
      await recordChange(tx, call, { activity: `Settings: ${kind} image removed` })
    return await readGroupVersion(tx, groupOf(kind))
  })
  return { message: `${labels[kind]} removed.`, version }
}
