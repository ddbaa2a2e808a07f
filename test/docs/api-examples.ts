// Collects an example response of each operation of the read API, over a store with the recorded demo chain.

import { OPERATIONS } from '../../api/resources/operations.ts'
import { formatPath, PATH_PARAMETERS } from '../../api/resources/path-parameters.ts'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { systemClock } from '../../infra/base/runtime/clock.ts'
import { createApiRig } from '../support/api/api-rig.ts'

export const API_EXAMPLES_FILE = new URL(
  '../../api/discovery/assets/examples.json',
  import.meta.url,
)

type Examples = Readonly<Record<string, unknown>>

/** The examples of the path parameters belong to the demo chain. */
const VALUES = Object.fromEntries(
  Object.entries(PATH_PARAMETERS).map(([name, { example }]) => [name, example]),
)

const countNulls = (value: unknown): number => {
  if (typeof value !== 'object') return 0
  return value === null
    ? 1
    : Object.values(value).reduce((sum: number, each) => sum + countNulls(each), 0)
}

/** Documents have all examples, and language models pay for each token. */
const MAX_ENTRY_LENGTH = 1_500

/** The short entry with the fewest nulls, because it shows the most members. */
const pickEntry = (entries: readonly object[]): object[] => {
  const short = entries.filter((entry) => JSON.stringify(entry).length <= MAX_ENTRY_LENGTH)
  const fitting = short.length > 0 ? short : entries
  // A null in place of an object hides its members.
  const compare = (one: object, other: object): number =>
    countNulls(one) - countNulls(other) || JSON.stringify(other).length - JSON.stringify(one).length
  return fitting.toSorted(compare).slice(0, 1)
}

const MAX_VALUES = 5

/** One entry of each list of objects. */
const shorten = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shorten(each)]))
  }
  return value.every((each) => typeof each === 'object')
    ? pickEntry(value).map(shorten)
    : value.slice(0, MAX_VALUES)
}

/** At the time of the last block, because the health depends on the clock. */
const createRig = async (store: Store) => {
  const first = await createApiRig(store)
  const { chain } = (await first.ask('/api/health')).json()
  await first.close()
  return await createApiRig(store, {}, { ...systemClock, now: () => Date.parse(chain.time) })
}

/** By the name of the operation. Operations without JSON have none. */
export const readApiExamples = async (store: Store): Promise<Examples> => {
  const rig = await createRig(store)
  const examples: [string, unknown][] = []
  for (const { operationId, path, answer } of OPERATIONS) {
    if (answer === null) continue
    const url = formatPath(path, VALUES)
    const response = await rig.ask(url)
    if (response.status !== 200) throw new Error(`${url}: ${response.text}`)
    examples.push([operationId, shorten(response.json())])
  }
  await rig.close()
  return Object.fromEntries(examples)
}
