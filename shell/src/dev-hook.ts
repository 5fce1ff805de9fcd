// Development only. React Refresh keeps its list of renderers private, so the refresh runtime of a remote that loads later
// could not find them. This hook records the renderers where that runtime looks for them.
interface RefreshHook {
  renderers?: Map<number, unknown>
  inject?: (renderer: unknown) => number
}

const hook: unknown = Reflect.get(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__')

const isRefreshHook = (value: unknown): value is RefreshHook => typeof value === 'object' && value !== null

if (isRefreshHook(hook) && hook.inject && hook.renderers) {
  const { inject, renderers } = hook
  hook.inject = renderer => {
    const id = inject.call(hook, renderer)
    renderers.set(id, renderer)
    return id
  }
}
