// The proposals of the provider's scenario in groups, and how each of them ends on a chain that counts the first pools only.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { Account } from '../accounts.ts'
import { type Submission, submit } from '../messages.ts'
import { EXPEDITED, FULL, type Scene } from '../scenario/scene.ts'
import { eventValue } from '../transactions.ts'
import { updateLimit } from './limit.ts'

type Ending = 'passed' | 'rejected'

/** `countedOfFour` and `countedOfThree` have the same votes: they differ by the limit alone. */
export const ENDINGS = {
  belowQuorum: 'rejected',
  atQuorum: 'passed',
  outsideOnly: 'rejected',
  countedOfFour: 'rejected',
  limitOfThree: 'passed',
  countedOfThree: 'rejected',
  restarted: 'passed',
  expedited: 'passed',
} as const satisfies Record<string, Ending>
export type Name = keyof typeof ENDINGS

export const QUIET: readonly Name[] = ['belowQuorum', 'atQuorum', 'outsideOnly']
/** They close in one end block, in this order. */
export const LIMITS: readonly Name[] = ['countedOfFour', 'limitOfThree', 'countedOfThree']
export const CHANGES: ReadonlyMap<Name, number> = new Map([['limitOfThree', 3]])

/** The limit in the tally of each of `LIMITS`. */
export function listLimitsAtTally(first: number): Map<Name, number> {
  let limit = first
  const limits = new Map<Name, number>()
  for (const name of LIMITS) {
    limits.set(name, limit)
    limit = CHANGES.get(name) ?? limit
  }
  return limits
}

const submission = (title: string, messages: EncodeObject[], expedited = false): Submission => ({
  title,
  summary: 'A vote on a chain that counts the first pools only.',
  metadata: 'of the provider',
  expedited,
  messages,
})

/** In one transaction, so that all of them close in the same block. */
async function submitTogether(
  scene: Scene,
  proposer: Account,
  proposals: readonly Submission[],
): Promise<bigint[]> {
  const messages = proposals.map((each) =>
    submit(proposer.address, each, each.expedited ? EXPEDITED : FULL),
  )
  const outcome = await scene.chain.send(proposer, messages, { gas: 10_000_000 })
  const first = BigInt(eventValue(outcome, 'submit_proposal', 'proposal_id'))
  return proposals.map((_, index) => first + BigInt(index))
}

export async function submitNamed(
  scene: Scene,
  names: readonly Name[],
  expedited = false,
): Promise<Map<Name, bigint>> {
  const submissions = await Promise.all(
    names.map(async (name) => {
      const limit = CHANGES.get(name)
      const { governance, chain } = scene
      const change = limit === undefined ? [] : [await updateLimit(chain.rpc, governance, limit)]
      return submission(name, change, expedited)
    }),
  )
  const ids = await submitTogether(scene, scene.person('council'), submissions)
  return new Map(names.map((name, index) => [name, ids[index] ?? 0n]))
}

const CONVOY_PROPOSERS = ['community', 'treasurer'] as const

/** Each of a proposer is in a later block than the one before, so that the votes also close one after the other. */
export async function submitConvoy(scene: Scene, each: number): Promise<bigint[]> {
  const ids = await Promise.all(
    CONVOY_PROPOSERS.map(async (proposer) => {
      const own: bigint[] = []
      for (let index = 0; index < each; index++) {
        const one = submission(`Number ${index + 1} of ${proposer}`, [])
        own.push(...(await submitTogether(scene, scene.person(proposer), [one])))
      }
      return own
    }),
  )
  return ids.flat().sort((a, b) => Number(a - b))
}
