import { type ComponentProps, createElement, type ReactElement } from 'react'

/** The shapes of an icon: for each, the element and its attributes, including `key`. */
interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

/**
 * Replaces the function of the same name in lucide-react (see rspack.config.ts), because our `Icon` sets size, colour and
 * stroke, and the library's code for these is larger than the icons.
 */
export default function createLucideIcon({ node }: IconData) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return (props: ComponentProps<'svg'>): ReactElement => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: `Icon` names it or hides it
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
    >
      {shapes}
    </svg>
  )
}
