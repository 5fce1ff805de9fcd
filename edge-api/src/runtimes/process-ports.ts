import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { fileAssets } from '../adapters/assets-files.ts'
import { gatewayFetch } from '../adapters/gateway-fetch.ts'
import { createGateways } from '../adapters/gateways.ts'
import { mailboxFiles } from '../adapters/mailbox-files.ts'
import { mailboxMemory } from '../adapters/mailbox-memory.ts'
import { captureMailer } from '../adapters/mailer-capture.ts'
import { smtpMailer } from '../adapters/mailer-smtp.ts'
import { nodeOutgoing } from '../adapters/outgoing-node.ts'
import { releasesFetch } from '../adapters/releases-fetch.ts'
import { releasesFile } from '../adapters/releases-file.ts'
import { OriginState, withReleasesOrigin } from '../adapters/releases-origin.ts'
import { timestampService } from '../adapters/timestamp-service.ts'
import type { Database } from '../db/database.ts'
import type { Environment } from '../environment.ts'
import { withLastValidRemotes } from '../front-ends/last-valid-remotes.ts'
import { withOverrides } from '../front-ends/overrides.ts'
import { withPreviews } from '../front-ends/previews.ts'
import { readTrust } from '../front-ends/trust.ts'
import { Metrics } from '../metrics/metrics.ts'
import type { Disk, Ports } from '../ports.ts'
import { fileOf } from './open-database.ts'

interface ProcessParts extends Pick<Ports, 'log' | 'background' | 'stopping' | 'finalStop'> {
  /** True if the host stops the process between requests and keeps no files. */
  isEphemeral: boolean
  /** The process's only database handle, which all requests share. */
  database: Database
}

/** Creates the ports of a process on Deno or Node. */
export function createProcessPorts(
  environment: Environment,
  { isEphemeral, database, ...sharedPorts }: ProcessParts,
): Ports {
  const { log } = sharedPorts
  const file = fileOf(environment.DATABASE_URL)
  const dataFolder = file ? path.dirname(file) : '.data'
  const mailbox = isEphemeral
    ? mailboxMemory()
    : mailboxFiles(environment.MAIL_FOLDER ?? path.join(dataFolder, 'mailbox'))
  const offset = environment.CLOCK_OFFSET_SECONDS * 1000
  const clock = { now: () => Date.now() + offset }
  const metrics = new Metrics()
  return {
    ...sharedPorts,
    environment,
    openDatabase: () => database,
    runLater(milliseconds, work) {
      setTimeout(() => sharedPorts.stopping.aborted || work(), milliseconds).unref()
    },
    clock,
    mailer: environment.MAIL_URL
      ? smtpMailer({ url: environment.MAIL_URL, from: environment.MAIL_FROM })
      : captureMailer(mailbox, clock),
    mailbox: environment.MAIL_URL ? undefined : mailbox,
    gateways: createGateways(environment, gatewayFetch(fetch, { log, metrics })),
    ...timestampService(environment, { fetch, log, metrics }),
    outgoing: nodeOutgoing(),
    assets: createFrontEndAssets(environment, { ...sharedPorts, clock, database }),
    releaseLog: releasesFile(environment.RELEASES_FOLDER, 'shipments.jsonl'),
    ...(file && { disk: () => measureDisk(dataFolder) }),
    metrics,
    uploadLimit: environment.UPLOAD_MAX_BYTES,
  }
}

/** Serves the released front ends, with a browser's previews and overrides in place of them. */
function createFrontEndAssets(
  environment: Environment,
  { clock, log, background, database }: Pick<Ports, 'clock' | 'log' | 'background'> & { database: Database },
) {
  const trust = readTrust(environment)
  const released = withLastValidRemotes(createReleaseAssets(environment, { clock, log }), {
    clock,
    log,
    database,
    background,
    trust,
  })
  const read = releasesFile(environment.RELEASES_FOLDER, 'previews.json')
  return withOverrides(withPreviews(released, { clock, log, trust, read }), { clock, environment })
}

/** Serves the releases folder, and front ends that teams released elsewhere. */
function createReleaseAssets(environment: Environment, ports: Pick<Ports, 'clock' | 'log'>) {
  const files = fileAssets(environment.RELEASES_FOLDER)
  return environment.RELEASES_URL
    ? withReleasesOrigin(files, {
        ...ports,
        origin: environment.RELEASES_URL,
        fetch: releasesFetch(environment, fetch),
        state: new OriginState(),
        servesCompressed: true,
      })
    : files
}

/** Returns the total space of a folder's disk, and the free space that this process may use. */
async function measureDisk(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
