// The map of the house as rules: arrows point down only. Each message names the way to go instead.
const app = '^(shell|mfe-[a-z0-9-]+)/'
const tests = '[.](test|fixture)[.]tsx?$'

/** A rule that forbids; `use` says what to do instead. */
const forbid = (name, from, to, use) => ({ name, severity: 'error', from, to, comment: use })

export default {
  forbidden: [
    forbid(
      'no-circles',
      {},
      { circular: true },
      'Two modules that need each other are one, or share a third.',
    ),
    forbid(
      'resolvable',
      {},
      { couldNotResolve: true, pathNot: '^(cloudflare|node):' },
      'Name a file or a package that exists.',
    ),
    forbid(
      'mfe-apart',
      { path: '^mfe-([a-z0-9-]+)/' },
      { path: '^mfe-', pathNot: '^mfe-$1/' },
      'Micro-frontends ship apart: move what both need into packages/.',
    ),
    forbid(
      'shell-loads-at-run-time',
      { path: '^shell/' },
      { path: '^mfe-' },
      'The shell finds remotes through remotes.json, never by import.',
    ),
    forbid(
      'features-apart',
      { path: '^(mfe-[a-z0-9-]+)/src/features/([^/]+)/' },
      { path: '^$1/src/features/', pathNot: '^$1/src/features/$2/' },
      'Features of one app share through src/parts/.',
    ),
    forbid(
      'packages-below-apps',
      { path: '^packages/' },
      { path: `${app}|^edge-api/` },
      'Packages know no app: pass it in.',
    ),
    forbid(
      'front-end-apart-from-api',
      { path: app },
      { path: '^edge-api/' },
      'Front ends know the API through packages/contract alone.',
    ),
    forbid(
      'api-without-pages',
      { path: '^edge-api/src/' },
      { path: '[.]tsx$' },
      'The server takes no tsx: use the pure model beside the page.',
    ),
    forbid(
      'contract-imports-zod-alone',
      { path: '^packages/contract/src/', pathNot: tests },
      { pathNot: '^(packages/contract/src/|node_modules/zod/)' },
      'The contract is data for everyone: it imports zod alone.',
    ),
    forbid(
      'format-imports-nothing',
      { path: '^packages/format/src/', pathNot: tests },
      { pathNot: '^packages/format/src/' },
      'format is plain functions.',
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
      'Only stores and db/ speak SQL: add a function to the store.',
    ),
    forbid(
      'gateway-stands-alone',
      { path: '^edge-api/src/payment-service/' },
      { path: '^(packages|edge-api/src/(?!payment-service/|listener/))' },
      'The payment service imports nothing of the product.',
    ),
    forbid(
      'listener-stands-alone',
      { path: '^edge-api/src/listener/', pathNot: '[.]test[.]ts$' },
      { path: '^(packages|edge-api/src/(?!listener/))' },
      'The HTTP server is shared by the portal and the payment service, and imports nothing of either.',
    ),
    forbid(
      'no-gateway-inside',
      { path: '^edge-api/src/', pathNot: '^edge-api/src/payment-service/' },
      { path: '^edge-api/src/payment-service/' },
      'The product speaks to the gateway over HTTP.',
    ),
    forbid(
      'runtimes-at-the-top',
      { path: '^edge-api/src/', pathNot: '^edge-api/src/runtimes/' },
      { path: '^edge-api/src/runtimes/' },
      'Composition roots are imported by nothing.',
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
