import { eq } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { images } from '../db/schema/settings.ts'

export type ImageType = (typeof images.$inferSelect)['type']

export interface StoredImage {
  type: ImageType
  bytes: Uint8Array<ArrayBuffer>
}

/** Finds an image by the SHA-256 hash of its bytes, in hex. */
export async function findImage(db: Reader, { hash }: { hash: string }): Promise<StoredImage | undefined> {
  const [row] = await db
    .select({ type: images.type, bytes: images.bytes })
    .from(images)
    .where(eq(images.hash, hash))
  // Copies the bytes, because the driver may return a view of a larger buffer.
  return row && { type: row.type, bytes: new Uint8Array(row.bytes) }
}

/** Stores an image, unless one with the same hash is already stored. */
export async function insertImage(
  db: Tx,
  { hash, type, bytes, at }: StoredImage & { hash: string; at: number },
): Promise<void> {
  await db
    .insert(images)
    .values({ hash, type, bytes: Buffer.from(bytes), createdAt: at })
    .onConflictDoNothing()
}
