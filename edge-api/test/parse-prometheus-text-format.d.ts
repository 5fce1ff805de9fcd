declare module 'parse-prometheus-text-format' {
  /** The metric families in the text, as in the package's own documentation, without histograms and summaries. */
  export default function parse(text: string): {
    name: string
    help: string
    type: string
    metrics: { labels?: Record<string, string>; value: string }[]
  }[]
}
