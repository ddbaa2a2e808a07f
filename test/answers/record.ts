// `npm run record:answers -- FILE` writes every response of the API over the demo chain, one JSON object per line.
// `cmp` finds the files of two versions equal if their responses are equal. `npm run record:answers -- FILE OTHER`
// compares two files and prints each request with a different response.
import { readFileSync, writeFileSync } from 'node:fs'
import { createStore } from '../../infra/base/clickhouse/client.ts'
import { migrate } from '../../projections/read-model/migrate.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { indexDemoChain } from '../support/log/demo-log.ts'
import { startClickHouseServer } from '../support/store/clickhouse-server.ts'
import { activateGeneration } from '../support/store/read-model-seed.ts'
import { type Line, RECORDED_CONFIG, recordAnswers } from './every-answer.ts'

const difference = (one: readonly string[], other: readonly string[]): string[] => {
  const byRequest = (lines: readonly string[]) =>
    new Map(lines.map((line) => [(JSON.parse(line) as Line).request, line]))
  const [before, after] = [byRequest(one), byRequest(other)]
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (request) => before.get(request) !== after.get(request),
  )
}

const compare = (path: string, other: string): void => {
  const readLines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')
  const [one, two] = [readLines(path), readLines(other)]
  const differing = difference(one, two)
  for (const request of differing) console.log(request)
  console.log(`${one.length} and ${two.length} responses, ${differing.length} differ`)
}

const record = async (path: string): Promise<void> => {
  const demo = await indexDemoChain()
  const server = await startClickHouseServer()
  const store = createStore(server.address)
  await migrate(store, { control: 'rollcall', generation: 1 })
  await activateGeneration(store)
  await projectAll(demo.log, store)
  const rig = await createMcpRig(store, RECORDED_CONFIG)
  const lines = await recordAnswers(rig)
  writeFileSync(path, `${[...lines.values()].join('\n')}\n`)
  console.log(`${lines.size} responses at height ${rig.state.current()?.height}`)
  await rig.close()
  await store.close()
  await server.stop()
  await demo.remove()
}

const [path, other] = process.argv.slice(2)
if (path === undefined) throw new Error('name the file to write, or two files to compare')
if (other === undefined) await record(path)
else compare(path, other)
process.exit(0)
