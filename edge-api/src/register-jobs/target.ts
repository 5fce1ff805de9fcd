import { registerJobMessages } from '@portal/rules/messages'
import type { Reader } from '../db/database.ts'
import { Fault, invalidField } from '../fault.ts'
import type { Principal } from '../principal.ts'
import { findReverts } from '../uploads/reverts-store.ts'
import { findUpload } from '../uploads/store.ts'
import type { RevertTarget } from './revert-store.ts'
import { isRevert, isRevertibleState } from './rules.ts'
import type { JobBody } from './selection-store.ts'
import { findJob } from './store.ts'

/** The target of a revert, with the number of certificates that it added and changed. */
export type Target = RevertTarget & { total: number }

type TargetDetails = Target & { authorId: string; isRevertible: boolean }

async function findUploadTarget(db: Reader, id: string): Promise<TargetDetails> {
  const upload = await findUpload(db, { id })
  if (!upload) throw invalidField('upload_id', registerJobMessages.noUpload)
  const total = upload.created + upload.updated
  return {
    id,
    uploadSeq: upload.seq,
    total,
    authorId: upload.uploaderId,
    isRevertible: upload.recorded && !upload.dryRun && isRevertibleState(upload.state) && total > 0,
  }
}

async function findJobTarget(db: Reader, id: string): Promise<TargetDetails> {
  const job = await findJob(db, { id })
  if (!job) throw invalidField('job_id', registerJobMessages.noJob)
  const isRevertible = !isRevert(job.kind) && isRevertibleState(job.state) && job.changed > 0
  return { id, uploadSeq: null, total: job.changed, authorId: job.authorId, isRevertible }
}

/**
 * Finds the target of a revert, and requires that it can be reverted.
 * @throws Fault `FORBIDDEN` unless the caller made the upload or job or is a super admin, `NOT_REVERTIBLE`, `ALREADY_REVERTED`
 */
export async function requireTarget(db: Reader, body: JobBody, user: Principal): Promise<Target> {
  const target =
    body.kind === 'upload_revert'
      ? await findUploadTarget(db, body.upload_id ?? '')
      : await findJobTarget(db, body.job_id ?? '')
  if (target.authorId !== user.id && user.role !== 'super_admin') throw new Fault('FORBIDDEN')
  if ((await findReverts(db, { targetIds: [target.id] })).size > 0) throw new Fault('ALREADY_REVERTED')
  if (!target.isRevertible) throw new Fault('NOT_REVERTIBLE')
  return target
}
