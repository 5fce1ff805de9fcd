import { FAILED_ROWS_KEPT } from '@portal/contract/admin-uploads'
import { counted } from '@portal/format/counted'
import { formatCount } from '@portal/format/numbers'
import { Alert } from '@portal/ui/alert'
import type { EndedJob } from './job.ts'

const formatRowCount = (count: number) => counted(count, 'row')

/** Describes the outcomes that occurred: `2 rows were added, 1 was updated and 3 were already in the register`. */
function formatOutcomes({ created, updated, unchanged }: EndedJob['result']['outcomes']) {
  const parts = [
    [created, 'added'],
    [updated, 'updated'],
    [unchanged, 'already in the register'],
  ] as const
  const phrases = parts
    .filter(([count]) => count > 0)
    .map(
      ([count, outcome], index) =>
        `${index > 0 ? formatCount(count) : formatRowCount(count)} ${count === 1 ? 'was' : 'were'} ${outcome}`,
    )
  return new Intl.ListFormat('en-GB').format(phrases)
}

/** Explains what an upload would change, and how many letters that would affect. */
function Preview({ job: { file, previous, result } }: { job: EndedJob }) {
  const { outcomes, letters_affected: letters } = result
  const isSingle = letters === 1
  return (
    <>
      {previous ? (
        <Alert
          tone="info"
          title={
            outcomes.updated > 0 ? 'Check the changes first: nothing was changed yet' : 'Nothing to update'
          }
        >
          {outcomes.updated > 0
            ? `${counted(outcomes.updated, 'certificate')} would be updated from ${file.name}. The rows below show each change.`
            : `No certificate differs from ${file.name} any more.`}
        </Alert>
      ) : (
        <Alert tone="info" title="Checked only: nothing was changed">
          This is what uploading {file.name} would do.
        </Alert>
      )}
      {letters > 0 && (
        <Alert tone="warning" title={`${counted(letters, 'letter')} would be superseded`}>
          {isSingle ? 'It was' : 'They were'} issued for certificates that this file changes. The letter{' '}
          {isSingle ? 'holder is' : 'holders are'} notified by email once the certificates are updated.
        </Alert>
      )}
      {result.report.some(({ warning }) => warning !== undefined) && (
        <Alert tone="warning" title="Check some rows first">
          The report lists numbers that differ only in separators, such as dashes or slashes, from existing
          numbers or from the usual format, and grades that no certificate in the register has.
        </Alert>
      )}
    </>
  )
}

/** Alert that states what an upload did, or what a dry run found. */
export function Outcome({ job }: { job: EndedJob }) {
  const { file, options, previous, result } = job
  const { failed, total, succeeded } = result.summary
  if (result.state === 'cancelled')
    return (
      <Alert tone="warning" title={`The ${options.dryRun ? 'dry run' : 'upload'} was cancelled`}>
        {options.dryRun
          ? 'Nothing was changed.'
          : 'Certificates added before the cancellation are kept; the report lists them.'}
      </Alert>
    )
  if (options.dryRun) return <Preview job={job} />
  if (total === 0)
    return (
      <Alert tone="warning" title="Nothing was uploaded">
        {file.name} has no rows below its header.
      </Alert>
    )
  if (failed === 0)
    return (
      <Alert tone="success" title="Upload complete">
        {previous
          ? `${formatOutcomes(result.outcomes)} from ${file.name}.`
          : `${total === 1 ? 'The only row' : `All ${formatRowCount(total)}`} of ${file.name} ${total === 1 ? 'is' : 'are'} on record.`}
      </Alert>
    )
  return (
    <Alert tone="warning" title={`${formatRowCount(failed)} failed`}>
      {succeeded === 0
        ? `No rows of ${file.name} were imported.`
        : `${formatOutcomes(result.outcomes)} from ${file.name}. The failed ${failed === 1 ? 'row' : 'rows'} changed nothing.`}{' '}
      {failed > FAILED_ROWS_KEPT
        ? 'Correct the file and upload it again: existing certificates are not added twice.'
        : `Correct ${failed === 1 ? 'the failed row and upload only that one' : 'the failed rows and upload only those'}.`}
    </Alert>
  )
}
