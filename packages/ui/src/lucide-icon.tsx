import { type ComponentProps, createElement, type ReactElement } from 'react'

/** Shapes of an icon: element and attributes, `key` among them. */
interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

/**
 * Stands in for the function of the same name in lucide-react, which every icon calls (see rspack.config.ts): sizes,
 * colours and strokes come from our own `Icon`, and the library's ways of setting them weigh more than the icons.
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
