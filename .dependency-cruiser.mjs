// Import boundaries: dependencies may only point to lower layers. Each rule's message suggests an alternative.
const app = '^(shell|mfe-[a-z0-9-]+)/'
const tests = '[.](test|fixture)[.]tsx?$'

/** Creates a rule that forbids imports; `use` is the alternative that its message suggests. */
const forbid = (name, from, to, use) => ({ name, severity: 'error', from, to, comment: use })

export default {
  forbidden: [
    forbid(
      'no-cycles',
      {},
      { circular: true },
      'Merge the two modules, or move what both need into a third.',
    ),
    forbid(
      'resolvable',
      {},
      { couldNotResolve: true, pathNot: '^(cloudflare|node):' },
      'Name a file or a package that exists.',
    ),
    forbid(
      'mfe-isolation',
      { path: '^mfe-([a-z0-9-]+)/' },
      { path: '^mfe-', pathNot: '^mfe-$1/' },
      'Micro-frontends are released separately: move shared code to packages/.',
    ),
    forbid(
      'shell-loads-at-run-time',
      { path: '^shell/' },
      { path: '^mfe-' },
      'The shell loads remotes through remotes.json, never by import.',
    ),
    forbid(
      'feature-isolation',
      { path: '^(mfe-[a-z0-9-]+)/src/features/([^/]+)/' },
      { path: '^$1/src/features/', pathNot: '^$1/src/features/$2/' },
      'Move code that several features need to src/parts/.',
    ),
    forbid(
      'packages-below-apps',
      { path: '^packages/' },
      { path: `${app}|^edge-api/` },
      'Packages do not depend on apps: pass the value in.',
    ),
    forbid(
      'front-end-without-api',
      { path: app },
      { path: '^edge-api/' },
      'Front ends only know the API through packages/contract.',
    ),
    forbid(
      'api-without-pages',
      { path: '^edge-api/src/' },
      { path: '[.]tsx$' },
      'The server cannot import tsx: use the pure model next to the page.',
    ),
    forbid(
      'contract-imports-only-zod',
      { path: '^packages/contract/src/', pathNot: tests },
      { pathNot: '^(packages/contract/src/|node_modules/zod/)' },
      'The contract is plain data: it may only import zod.',
    ),
    forbid(
      'format-imports-nothing',
      { path: '^packages/format/src/', pathNot: tests },
      { pathNot: '^packages/format/src/' },
      'packages/format may not import anything.',
    ),
    forbid(
      'ui-knows-no-data',
      { path: '^packages/ui/src/' },
      {
        path: 'node_modules/(react-router|react-router-dom|@tanstack|react-hook-form|zustand)/|^packages/(api|session|router|contract)/',
      },
      'Pass values and callbacks in.',
    ),
    forbid(
      'router-facade',
      { path: `${app}|^packages/`, pathNot: '^packages/router/' },
      { path: 'node_modules/react-router' },
      'Import from @portal/router, which is shared once.',
    ),
    forbid(
      'sql-in-stores',
      { path: '^edge-api/src/', pathNot: '(store|-store)[.]ts$|/db/|/payment-service/|[.]test[.]ts$' },
      { path: 'node_modules/drizzle-orm/' },
      'Only stores and db/ use SQL: add a function to the store.',
    ),
    forbid(
      'gateway-is-independent',
      { path: '^edge-api/src/payment-service/' },
      { path: '^(packages|edge-api/src/(?!payment-service/|listener/))' },
      'The payment service may not import the product.',
    ),
    forbid(
      'listener-is-independent',
      { path: '^edge-api/src/listener/', pathNot: '[.]test[.]ts$' },
      { path: '^(packages|edge-api/src/(?!listener/))' },
      'The HTTP server is shared by the portal and the payment service, and may not import either.',
    ),
    forbid(
      'no-gateway-inside',
      { path: '^edge-api/src/', pathNot: '^edge-api/src/payment-service/' },
      { path: '^edge-api/src/payment-service/' },
      'The product uses the gateway over HTTP.',
    ),
    forbid(
      'runtimes-at-the-top',
      { path: '^edge-api/src/', pathNot: '^edge-api/src/runtimes/' },
      { path: '^edge-api/src/runtimes/' },
      'Composition roots may not be imported.',
    ),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/[.])' },
    tsPreCompilationDeps: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts'],
    },
    skipAnalysisNotInRules: true,
  },
}
