import type { Page } from 'playwright-core'

/** A shared package as a page uses it at run time. */
export interface SharedPackage {
  readonly name: string
  readonly version: string
  /** The build that contains this copy. */
  readonly from: string
  /** The builds that use this copy. */
  readonly usedBy: readonly string[]
}

interface SharedCopy {
  version: string
  get: unknown
  lib?: unknown
  useIn: string[]
}

interface Federation {
  __INSTANCES__: {
    /** The copies of packages that a build contains. */
    options: { name: string; shared: Record<string, SharedCopy[]> }
    shareScopeMap: { default?: Record<string, Record<string, SharedCopy>> }
  }[]
}

/** Reports which copy of each shared package the builds in a page got, according to the federation runtime itself. */
export const readSharedPackages = (page: Page): Promise<SharedPackage[]> =>
  page.evaluate(() => {
    const { __INSTANCES__: builds } = (globalThis as unknown as { __FEDERATION__: Federation }).__FEDERATION__
    // The runtime's own `from` is the build that was the first to load a copy, not the build that contains it.
    const providerOf = (name: string, { get }: SharedCopy) =>
      builds.find(({ options }) => options.shared[name]?.some(copy => copy.get === get))?.options.name
    const packages = Object.entries(builds[0]?.shareScopeMap.default ?? {}).flatMap(([name, versions]) =>
      Object.values(versions)
        .filter(({ lib }) => lib !== undefined)
        .map(copy => ({
          name,
          version: copy.version,
          from: providerOf(name, copy) ?? 'unknown',
          usedBy: [...copy.useIn].sort(),
        })),
    )
    return packages.sort((a, b) => (a.name < b.name ? -1 : 1))
  })

/** Returns the report as lines: `react 19.3.1 from shell, used by mfe_admin, shell`. */
export const formatSharedPackages = (packages: readonly SharedPackage[]): string[] =>
  packages.map(
    ({ name, version, from, usedBy }) =>
      `${name} ${version} from ${from}, used by ${usedBy.join(', ') || 'none'}`,
  )
