import type { ComponentProps } from 'react'
import { type To, useHref, useLinkClickHandler, useMatch, useResolvedPath } from 'react-router-dom'

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To
}

/**
 * A link inside the portal. The router's own link would add 3 kB of prefetching and framework code that no page uses. Like the
 * router's link, this one lets the browser handle new tabs, downloads and clicks whose default was prevented.
 */
export function Link({ to, onClick, target, ...rest }: LinkProps) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, target === undefined ? {} : { target })
  const href = useHref(to)
  return (
    <a
      {...rest}
      href={href}
      target={target}
      onClick={event => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    />
  )
}

/** A link that has `aria-current` when it points to the current page or its parent. */
export function NavLink(props: LinkProps) {
  const { pathname } = useResolvedPath(props.to)
  const isCurrent = useMatch({ path: pathname, end: pathname === '/' }) !== null
  return <Link aria-current={isCurrent ? 'page' : undefined} {...props} />
}
