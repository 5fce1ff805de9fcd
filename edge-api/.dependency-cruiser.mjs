// Folders of the API form no cycle: code shared by two domains moves to the lower one, or to a file next to `ports.ts`.
// A separate run, because tests and benchmarks combine folders that the product keeps apart.
import rules from '../.dependency-cruiser.mjs'

export default {
  forbidden: [
    {
      name: 'domains-without-cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: '^edge-api/src' },
      to: { circular: true },
      comment: 'Move shared code to the lower folder, or inject it, as `serve` gets its guard.',
    },
  ],
  options: {
    ...rules.options,
    skipAnalysisNotInRules: false,
    exclude: { path: `${rules.options.exclude.path}|[.]test[.]ts$` },
  },
}
