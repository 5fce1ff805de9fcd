/*
 * The only react-router names the apps use. Shared modules are not tree-shaken, so sharing this short list instead
 * of the library keeps its unused three quarters out of the landing page.
 */
export type { Location, RouteObject, To } from 'react-router-dom'
// biome-ignore lint/performance/noBarrelFile: the facade is the point; see above
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
