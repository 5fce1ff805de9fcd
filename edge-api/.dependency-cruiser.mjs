// Folders of the API form no cycle: what two domains share moves to the lower one, or to a file beside `ports.ts`.
// A run of its own, because tests and their benches combine what the product keeps apart.
import rules from '../.dependency-cruiser.mjs'

export default {
  forbidden: [
    {
      name: 'domains-without-cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: '^edge-api/src' },
      to: { circular: true },
      comment: 'Move what both need to the lower folder, or hand it in as `serve` is handed its guard.',
    },
  ],
  options: {
    ...rules.options,
    skipAnalysisNotInRules: false,
    exclude: { path: `${rules.options.exclude.path}|[.]test[.]ts$` },
  },
}
