import type { RemoteModule } from '@portal/contract/remote'
import { lazy, Suspense } from 'react'
import { BrowserRouter } from './browser.ts'
import { asModule } from './component.ts'
import { Navigate, NavLink, useRoutes } from './index.ts'

interface Props {
  remote: RemoteModule
  /** Where the shell mounts it: `/` or `/dashboard`. */
  mount: '/' | '/dashboard'
}

/** Development only: a micro-frontend without the shell, its pages at the addresses they have inside it. */
export function Alone(props: Props) {
  return (
    <BrowserRouter>
      <nav aria-label="Pages">
        {props.remote.navigation.map(item => (
          <span key={item.tab}>
            <NavLink to={`${props.mount}/${item.tab}`}>{item.label}</NavLink>{' '}
          </span>
        ))}
      </nav>
      <Suspense fallback={<p role="status">Loading…</p>}>
        <Pages {...props} />
      </Suspense>
    </BrowserRouter>
  )
}

const made = new WeakMap<RemoteModule, ReturnType<typeof routesOf>>()

const routesOf = ({ routes }: RemoteModule) =>
  routes.map(route => {
    const Page = lazy(() => asModule(route.lazy()))
    return { path: route.path, element: <Page /> }
  })

function Pages({ remote, mount }: Props) {
  const children = made.get(remote) ?? routesOf(remote)
  made.set(remote, children)
  const first = remote.navigation[0]?.tab ?? ''
  const home = mount === '/' ? '/' : `${mount}/${first}`
  return useRoutes([
    { path: mount, children },
    { path: '*', element: <Navigate to={home} replace /> },
  ])
}
