// Tests the JSON of light blocks of a real chain against its RPC.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readLightBlock } from '../../../../../infra/base/proof/light-block.ts'
import { toSignedBlock } from '../../../../../ingest/comet/verification/light-block.ts'

type Json = { header: object; commit: object; validators: object[] }
const recorded: { chainId: string; lightBlocks: Json[]; proposals: { proof: Json }[] } = JSON.parse(
  readFileSync(new URL('../../../../fixtures/proposal-proofs.json', import.meta.url), 'utf8'),
)

const lightBlocks = [...recorded.lightBlocks, ...recorded.proposals.map(({ proof }) => proof)]

it('writes a light block as the RPC does, without members that no hash covers', () => {
  expect(lightBlocks.length).toBeGreaterThan(5)
  for (const json of lightBlocks) {
    const written = toSignedBlock(readLightBlock(json, recorded.chainId))
    expect(JSON.stringify(written.header)).toBe(JSON.stringify(json.header))
    expect(JSON.stringify(written.commit)).toBe(JSON.stringify(json.commit))
    expect(written.validators).toEqual(
      json.validators.map((each) => {
        const { proposer_priority: _, ...validator } = each as Record<string, unknown>
        return validator
      }),
    )
  }
})

it('leaves out members that an endpoint adds', () => {
  const [json] = recorded.lightBlocks
  const padded = { ...json!, header: { ...json!.header, note: 'x' } }
  expect(toSignedBlock(readLightBlock(padded, recorded.chainId))).toEqual(
    toSignedBlock(readLightBlock(json, recorded.chainId)),
  )
})
