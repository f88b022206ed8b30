import { Counter, Gauge, type Metric, Registry } from 'prom-client'

/** The metrics of this process. The value of a label is one of a few words, never an ID or a text of a caller. */
export const registry = new Registry()

type Labels<Name extends string> = Record<Name, string>
type Reader = () => void | Promise<void>

const registers = [registry]
const readers = new Set<Reader>()
const readersMs = 3000
let response: Promise<string> | undefined

/** A counter. It costs nanoseconds, because prom-client reads it only for a response. */
export class Count {
  #value = 0

  get value(): number {
    return this.#value
  }

  add(amount = 1): void {
    this.#value += amount
  }
}

/** A histogram. Like a counter, it is read only for a response. */
export class Distribution {
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0
  #count = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length)
  }

  get count(): number {
    return this.#count
  }

  observe(value: number): void {
    this.#sum += value
    this.#count += 1
    const index = this.#bounds.findIndex((bound) => value <= bound)
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1
  }

  /** Observes the time since `began`, which is a time of `performance.now()`, in seconds. */
  observeSince(began: number): void {
    this.observe((performance.now() - began) / 1000)
  }

  /** Returns the samples of the exposition format. The count of a bucket contains those of the smaller buckets. */
  samples(name: string, labels: Labels<string>) {
    let total = 0
    const buckets = this.#bounds.map((le, index) => {
      total += this.#counts[index] ?? 0
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total }
    })
    return [
      ...buckets,
      { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: this.#count },
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: this.#count },
    ]
  }
}

/** Returns a function that returns the child with these labels, always the same. Call it once, and keep the child. */
function family<Name extends string, Child>(create: () => Child) {
  const children = new Map<string, { labels: Labels<Name>; child: Child }>()
  const childOf = (labels: Labels<Name>): Child => {
    const key = Object.values(labels).join('\n')
    const known = children.get(key) ?? { labels, child: create() }
    children.set(key, known)
    return known.child
  }
  return { children, childOf }
}

export function counters<Name extends string>(name: string, help: string, labelNames: readonly Name[]) {
  const { children, childOf } = family<Name, Count>(() => new Count())
  new Counter({
    name,
    help,
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { labels, child } of children.values()) this.inc(labels, child.value)
    },
  })
  return childOf
}

export function counter(name: string, help: string): Count {
  return counters(name, help, [])({})
}

/** Returns a counter for each value of a label. */
export function counterBy<Value extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
): Record<Value, Count> {
  const childOf = counters<string>(name, help, [label])
  const entries = values.map((value) => [value, childOf({ [label]: value })])
  return Object.fromEntries(entries) as Record<Value, Count>
}

type Shape<Name extends string> = { labelNames: readonly Name[]; buckets: readonly number[] }

/** Seconds, for work that takes milliseconds. */
export const shortTimes = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A child appears in the response after its first value, because most routes never have most statuses. */
export function histograms<Name extends string>(
  name: string,
  help: string,
  { labelNames, buckets }: Shape<Name>,
) {
  const { children, childOf } = family<Name, Distribution>(() => new Distribution(buckets))
  const get = async () => {
    const used = [...children.values()].filter(({ child }) => child.count > 0 || labelNames.length === 0)
    return {
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: used.flatMap(({ labels, child }) => child.samples(name, labels)),
    }
  }
  registry.registerMetric({ name, get } as unknown as Metric)
  return childOf
}

export function histogram(name: string, help: string, buckets: readonly number[] = shortTimes): Distribution {
  return histograms(name, help, { labelNames: [], buckets })({})
}

export function gauge<Name extends string>(name: string, help: string, labelNames: readonly Name[] = []) {
  return new Gauge({ name, help, labelNames, registers })
}

/** Calls `read` before each response, to set gauges. The returned function ends that. */
export function beforeResponse(read: Reader): () => void {
  readers.add(read)
  return () => void readers.delete(read)
}

/** Returns all metrics in the text format of Prometheus. A gauge that cannot be read in time is missing. */
export function metricsText(): Promise<string> {
  // Readers remove old values first. Therefore two responses must not read at the same time.
  response ??= readAll().finally(() => {
    response = undefined
  })
  return response
}

async function readAll(): Promise<string> {
  const reading = Promise.allSettled([...readers].map(async (read) => read()))
  const timeout = new Promise((resolve) => setTimeout(resolve, readersMs).unref())
  await Promise.race([reading, timeout])
  return registry.metrics()
}
