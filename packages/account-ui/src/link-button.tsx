import { type To, useHref, useNavigate } from '@portal/router'
import { ButtonLink } from '@portal/ui/button'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<typeof ButtonLink>, 'href' | 'onClick'> & { to: To }

/** An in-app link that looks like a button. Like any link, it can be opened in a new tab. */
export function LinkButton({ to, ...rest }: Props) {
  const href = useHref(to)
  const navigate = useNavigate()
  return (
    <ButtonLink
      {...rest}
      href={href}
      onClick={event => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void navigate(to)
      }}
    />
  )
}
