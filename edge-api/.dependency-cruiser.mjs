// Forbids import cycles between folders of the API: code that two domains share belongs in the lower-level one, or in a file
// next to `ports.ts`. This is a separate configuration, because tests and benchmarks may import across folders that the product
// keeps apart.
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
