// Prometheus metrics of one service, in a separate registry. All names are built here, so that they have one form.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

type MetricOptions<Label extends string = string> = {
  /** Without the `rollcall_<service>_` prefix; ends in its unit or in `total`. */
  name: string
  help: string
  /** Names of labels. Their values come from closed sets. */
  labels?: readonly Label[]
}

export type Metrics = {
  registry: Registry
  counter<Label extends string = never>(options: MetricOptions<Label>): Counter<Label>
  /** `measure` returns the value at each scrape. */
  gauge<Label extends string = never>(
    options: MetricOptions<Label> & { measure?: () => number },
  ): Gauge<Label>
  histogram<Label extends string = never>(
    options: MetricOptions<Label> & { buckets: readonly number[] },
  ): Histogram<Label>
}

export const createMetrics = (service: string): Metrics => {
  const registry = new Registry()
  const common = <Label extends string>({ name, help, labels }: MetricOptions<Label>) => ({
    name: `rollcall_${service}_${name}`,
    help,
    labelNames: labels ?? [],
    registers: [registry],
  })
  return {
    registry,
    counter: (options) => new Counter(common(options)),
    gauge: ({ measure, ...options }) =>
      new Gauge({
        ...common(options),
        ...(measure && {
          collect() {
            this.set(measure())
          },
        }),
      }),
    histogram: (options) => new Histogram({ ...common(options), buckets: [...options.buckets] }),
  }
}
