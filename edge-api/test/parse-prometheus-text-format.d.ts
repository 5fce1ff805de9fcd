declare module 'parse-prometheus-text-format' {
  /** The families of a text, as the package's own documentation shows them; histograms and summaries left out here. */
  export default function parse(text: string): {
    name: string
    help: string
    type: string
    metrics: { labels?: Record<string, string>; value: string }[]
  }[]
}
