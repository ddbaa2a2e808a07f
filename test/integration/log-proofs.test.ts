// Tests of the proofs in a real log: all lead to signed headers, and every contradiction is found.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventOf, GovernanceEvent, GovernanceEventType } from '../../ingest/contract/events.ts'
import { damageTo, eventIn } from '../support/log/damaged-log.ts'
import { type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'

let demo: DemoLog
beforeAll(async () => {
  demo = await indexDemoChain(160)
})
afterAll(() => demo.remove())

const { findRecordIndex, replaced, verify } = damageTo(() => demo)

/** The first event of the type, with its data changed. */
const changed = <Type extends GovernanceEventType>(
  type: Type,
  change: (data: EventOf<Type>['data']) => void,
) =>
  replaced(findRecordIndex(type), (event: GovernanceEvent) =>
    change(event.data as EventOf<Type>['data']),
  )

/** The same text with another last character. */
const turned = (text: string): string => text.slice(0, -1) + (text.endsWith('1') ? '2' : '1')

const OTHER_KEY = '000000000000000099'

describe('the verification of the proofs in a log', () => {
  it('links all proofs to signed headers, and finds the statuses and final tallies of the log in them', async () => {
    const { figures, violations } = await verify(demo.records)
    expect(violations).toEqual([])
    const count = (type: GovernanceEventType) =>
      demo.records.filter((record) => eventIn(record).type === type).length
    const proofs = count('rollcall.proposal.proof.v1')
    expect(proofs).toBeGreaterThan(10)
    expect(figures.proofs).toEqual({
      proved: proofs,
      compared: proofs,
      missing: 0,
      lightBlocks: count('rollcall.light-block.observed.v1'),
    })
  })

  it.each<[string, () => ReturnType<typeof replaced>, RegExp]>([
    [
      'a final tally that differs from the chain',
      () =>
        changed('rollcall.proposal.closed.v1', ({ finalTally }) => {
          if (finalTally) finalTally.yes = `${BigInt(finalTally.yes ?? '0') + 1n}`
        }),
      /yes is \d+ in the log, \d+ in the proof/,
    ],
    [
      'a status that differs from the chain',
      () =>
        changed('rollcall.proposal.closed.v1', ({ proposal }) => {
          if (proposal) proposal.status = 'failed'
        }),
      /its status is failed in the log, passed in the proof|in the log, rejected in the proof/,
    ],
    [
      'a changed stored value',
      () =>
        changed('rollcall.proposal.proof.v1', (data) => {
          const value = Buffer.from(data.value ?? '', 'base64')
          value[40] = (value[40] ?? 0) ^ 1
          data.value = value.toString('base64')
        }),
      /proves another value/,
    ],
    [
      'a proof for another proposal',
      () =>
        changed('rollcall.proposal.proof.v1', (data) => Object.assign(data, { key: OTHER_KEY })),
      /The key of the proof is not that of proposal/,
    ],
    [
      'a proof for another height',
      () => changed('rollcall.proposal.proof.v1', (data) => data.stateHeight--),
      /The proof of height \d+ is beside the header of height \d+/,
    ],
    [
      'a changed header',
      () =>
        changed('rollcall.light-block.observed.v1', ({ header }) => {
          if (header) header['app_hash'] = turned(String(header['app_hash']))
        }),
      /The header of height 1 has the hash/,
    ],
    [
      'a light block with another hash',
      () =>
        changed('rollcall.light-block.observed.v1', (data) =>
          Object.assign(data, { hash: turned(data.hash) }),
        ),
      /The header has the hash [0-9A-F]{64}, not/,
    ],
    [
      'a validator with another power',
      () =>
        changed('rollcall.validators.observed.v1', ({ validators }) => {
          Object.assign(validators[0] ?? {}, { voting_power: '1' })
        }),
      /The validators do not have the hash/,
    ],
  ])('finds %s', async (_, entries, message) => {
    const { violations } = await verify(entries())
    expect(violations[0]).toMatchObject({ kind: 'proof', message: expect.stringMatching(message) })
    expect(new Set(violations.map(({ kind }) => kind))).toEqual(new Set(['proof']))
  })
})
