// `npm run record:answers` writes the digests of all answers of the API, which `integration/recorded-answers` compares.
// `npm run record:answers -- FILE` writes the answers themselves, one JSON object per line, and
// `npm run record:answers -- FILE OTHER` compares two such files and prints each request with a different answer.
import { readFileSync, writeFileSync } from 'node:fs'
import { withDemoStore } from '../support/api/demo-store.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { DIGESTS_FILE, differingRequests, toDigests } from './digests.ts'
import { type Line, RECORDED_CONFIG, recordAnswers } from './every-answer.ts'

const record = (write: (lines: ReadonlyMap<string, string>) => void): Promise<void> =>
  withDemoStore(async (store) => {
    const rig = await createMcpRig(store, RECORDED_CONFIG)
    const lines = await recordAnswers(rig)
    write(lines)
    console.log(`${lines.size} answers at height ${rig.state.current()?.height}`)
    await rig.close()
  })

const readDigests = (file: string) => {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return toDigests(new Map(lines.map((line) => [(JSON.parse(line) as Line).request, line])))
}

const compare = (file: string, other: string): void => {
  const differing = differingRequests(readDigests(file), readDigests(other))
  for (const request of differing) console.log(request)
  console.log(`${differing.length} answers differ`)
}

const [path, other] = process.argv.slice(2)
if (path === undefined)
  await record((lines) =>
    writeFileSync(DIGESTS_FILE, `${JSON.stringify(toDigests(lines), null, 1)}\n`),
  )
else if (other === undefined)
  await record((lines) => writeFileSync(path, `${[...lines.values()].join('\n')}\n`))
else compare(path, other)
process.exit(0)
