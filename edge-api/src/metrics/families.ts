import {
  metrics,
  type Observable,
  type Counter as OtlpCounter,
  type Histogram as OtlpHistogram,
} from '@opentelemetry/api'

/*
 * Counters, histograms and gauges, exported in the text format of Prometheus (version 0.0.4), which every collector reads, and
 * in OTLP.
 */

export type Labels = Readonly<Record<string, string | number>>

/** Upper bounds of the histogram buckets, in seconds. */
const BUCKET_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const escapeLabelValue = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabelValue(String(value))}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

const headerLines = (name: string, help: string, type: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

/** Returns the meter that also exports the values to a collector (OTLP), if one is configured. */
const getMeter = () => metrics.getMeter('portal')

/** A counter with labels. It never decreases. */
export class Counter {
  readonly #name: string
  readonly #help: string
  readonly #series = new Map<string, number>()
  readonly #otlp: OtlpCounter

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
    this.#otlp = getMeter().createCounter(name, { description: help })
  }

  add(labels: Labels = {}, amount = 1): void {
    this.#otlp.add(amount, labels)
    const key = formatLabels(labels)
    this.#series.set(key, (this.#series.get(key) ?? 0) + amount)
  }

  lines(): string[] {
    const series: (readonly [string, number])[] = this.#series.size > 0 ? [...this.#series] : [['', 0]]
    return [
      ...headerLines(this.#name, this.#help, 'counter'),
      ...series.map(([labels, count]) => `${this.#name}${labels} ${count}`),
    ]
  }
}

interface HistogramSeries {
  labels: Labels
  /** Number of durations in each bucket, not cumulative. The last bucket contains those above all bounds. */
  counts: number[]
  sum: number
}

/** A histogram of durations in seconds, with labels. */
export class Histogram {
  readonly #name: string
  readonly #help: string
  readonly #series = new Map<string, HistogramSeries>()
  readonly #otlp: OtlpHistogram

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
    const advice = { explicitBucketBoundaries: BUCKET_BOUNDS }
    this.#otlp = getMeter().createHistogram(name, { description: help, unit: 's', advice })
  }

  /** Adds a duration. @param key identifies the series; comparing it is cheaper than comparing the labels */
  observe(key: string, labels: () => Labels, seconds: number): void {
    let series = this.#series.get(key)
    if (!series) {
      series = { labels: labels(), counts: Array<number>(BUCKET_BOUNDS.length + 1).fill(0), sum: 0 }
      this.#series.set(key, series)
    }
    this.#otlp.record(seconds, series.labels)
    const bucket = BUCKET_BOUNDS.findIndex(bound => seconds <= bound)
    const index = bucket === -1 ? BUCKET_BOUNDS.length : bucket
    series.counts[index] = (series.counts[index] ?? 0) + 1
    series.sum += seconds
  }

  lines(): string[] {
    return [
      ...headerLines(this.#name, this.#help, 'histogram'),
      ...[...this.#series.values()].flatMap(series => this.#seriesLines(series)),
    ]
  }

  #seriesLines({ labels, counts, sum }: HistogramSeries): string[] {
    let cumulative = 0
    const buckets = [...BUCKET_BOUNDS, '+Inf'].map((le, index) => {
      cumulative += counts[index] ?? 0
      return `${this.#name}_bucket${formatLabels({ ...labels, le })} ${cumulative}`
    })
    const labelsText = formatLabels(labels)
    return [
      ...buckets,
      `${this.#name}_sum${labelsText} ${sum}`,
      `${this.#name}_count${labelsText} ${cumulative}`,
    ]
  }
}

/** A gauge, or a counter whose total is stored elsewhere. */
export interface Gauge {
  type?: 'gauge' | 'counter'
  name: string
  help: string
  values: readonly { labels?: Labels; value: number }[]
}

export const formatGauge = ({ name, help, values, type = 'gauge' }: Gauge): string[] => [
  ...headerLines(name, help, type),
  ...values.map(({ labels = {}, value }) => `${name}${formatLabels(labels)} ${value}`),
]

/**
 * Registers the gauges, so that the OTLP exporter reads them at each export.
 * @param read returns the gauges with their current values, always under the same names
 */
export async function registerGauges(read: () => Promise<readonly Gauge[]>): Promise<void> {
  const instruments = new Map<string, Observable>()
  for (const { name, help: description, type } of await read()) {
    const options = { description }
    instruments.set(
      name,
      type === 'counter'
        ? getMeter().createObservableCounter(name, options)
        : getMeter().createObservableGauge(name, options),
    )
  }
  getMeter().addBatchObservableCallback(
    async result => {
      for (const { name, values } of await read().catch(() => [])) {
        const instrument = instruments.get(name)
        if (instrument) for (const { labels, value } of values) result.observe(instrument, value, labels)
      }
    },
    [...instruments.values()],
  )
}
