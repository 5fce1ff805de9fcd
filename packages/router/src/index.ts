/*
 * The exports of react-router that are in use. Shared modules are not tree-shaken, so sharing this facade rather than the
 * library keeps three quarters of the library out of the landing page.
 */
export type { Location, RouteObject, To } from 'react-router-dom'
// biome-ignore lint/performance/noBarrelFile: a deliberate facade; see above
export {
  Navigate,
  Outlet,
  useHref,
  useLocation,
  useMatch,
  useNavigate,
  useParams,
  useRoutes,
  useSearchParams,
} from 'react-router-dom'
export { Link, type LinkProps, NavLink } from './link.tsx'
