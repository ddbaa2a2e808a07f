// `npm run record:answers -- FILE` writes every response of the API over the demo chain, one JSON object per line.
// `cmp` finds the files of two versions equal if their responses are equal. `npm run record:answers -- FILE OTHER`
// compares two files and prints each request with a different response.
import { readFileSync, writeFileSync } from 'node:fs'
import { withDemoStore } from '../support/api/demo-store.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { type Line, RECORDED_CONFIG, recordAnswers } from './every-answer.ts'

/** Without what follows from other bytes: the entity tag of the body, and the digests in the URLs of scripts and styles. */
const toComparable = (line: string): string =>
  line.replace(/"etag":"\\"[\w-]+\\"",/, '').replaceAll(/(\/assets\/\w+)-[0-9a-f]{12}\./g, '$1.')

const difference = (one: readonly string[], other: readonly string[]): string[] => {
  const byRequest = (lines: readonly string[]) =>
    new Map(lines.map((line) => [(JSON.parse(line) as Line).request, toComparable(line)]))
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

const record = (path: string): Promise<void> =>
  withDemoStore(async (store) => {
    const rig = await createMcpRig(store, RECORDED_CONFIG)
    const lines = await recordAnswers(rig)
    writeFileSync(path, `${[...lines.values()].join('\n')}\n`)
    console.log(`${lines.size} responses at height ${rig.state.current()?.height}`)
    await rig.close()
  })

const [path, other] = process.argv.slice(2)
if (path === undefined) throw new Error('name the file to write, or two files to compare')
if (other === undefined) await record(path)
else compare(path, other)
process.exit(0)
