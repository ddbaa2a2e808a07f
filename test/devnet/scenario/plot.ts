// The plot of the scenario: each proposal with its votes and its planned end, and what happens besides. All of it runs in parallel.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { Person } from '../chain.ts'
import { ROLL } from '../genesis.ts'
import {
  cancel,
  deposit,
  softwareUpgrade,
  spendFromPool,
  submit,
  textContent,
  vote,
  YES,
} from '../messages.ts'
import { comeBack, leave, type Scene } from '../scene.ts'
import { type Crowd, voteInCrowd } from './crowds.ts'
import { prepare } from './prepare.ts'
import { textOf } from './proposal-texts.ts'
import {
  changeMind,
  changePools,
  moveStake,
  vanish,
  voteAtTheBell,
  voteInVain,
  voteThroughAuthz,
  voteThroughContract,
} from './side-stories.ts'

/** The plot ends here; a replay adds the last 150 blocks or so before it one by one. */
const SECONDS = 240

type Plan = {
  /** Its status, if it is not deleted: when the plot ends, and once all votes are closed. */
  ending: 'passed' | 'rejected' | 'failed' | 'dropped' | 'canceled'
  /** When it is submitted, in seconds of the scene, and by whom; absent: not with a message of its own. */
  at?: number
  by?: Person
  /** Absent: as much as brings it to its vote. */
  deposit?: bigint
  deposits?: readonly (readonly [at: number, from: Person, amount: bigint])[]
  expedited?: boolean
  messages?: (scene: Scene) => EncodeObject[] | Promise<EncodeObject[]>
  crowd?: Crowd
  /** In round 2. */
  again?: Crowd
}

const pay = (to: Person, amount: bigint) => (scene: Scene) => [
  spendFromPool(scene.governance, scene.person(to).address, amount * ROLL),
]

const plot = {
  constitution: {
    ending: 'passed',
    at: 1,
    by: 'council',
    crowd: { seconds: [4, 70], large: 'YYYYNYAYYNY', drawn: [33, 300], mix: [70, 15, 10, 5] },
  },
  quorum: {
    ending: 'passed',
    at: 3,
    by: 'core-team',
    messages: async ({ state }) => [await state.updateGov({ quorum: '0.350000000000000000' })],
    crowd: { seconds: [6, 72], large: 'Y.Y..N.....', drawn: [21, 120], mix: [55, 35, 10, 0] },
  },
  ambassadors: {
    ending: 'rejected',
    at: 4,
    by: 'community',
    // A part of the deposit first: others bring it to the vote.
    deposit: 40n * ROLL,
    deposits: [
      [9, 'depositor', 25n * ROLL],
      [9, 'council', 35n * ROLL],
    ],
    messages: pay('community', 1_200_000n),
    crowd: { seconds: [11, 78], large: 'NNNYYNANNYN', drawn: [28, 180], mix: [40, 45, 10, 5] },
  },
  airdrop: {
    ending: 'rejected',
    at: 5,
    by: 'stranger',
    crowd: { seconds: [8, 60], large: 'VVVVVNVV.VN', drawn: [36, 90], mix: [5, 15, 2, 78] },
  },
  translations: {
    ending: 'rejected',
    at: 6,
    by: 'community',
    crowd: { seconds: [9, 75], large: '...Y.......', drawn: [9, 60], mix: [90, 5, 5, 0] },
  },
  bridge: {
    ending: 'failed',
    at: 7,
    by: 'security',
    messages: pay('security', 900_000_000n),
    crowd: { seconds: [10, 74], large: 'YY.YYN.YY..', drawn: [25, 110], mix: [80, 10, 10, 0] },
  },
  mascot: {
    ending: 'dropped',
    at: 8,
    by: 'stranger',
    deposit: 10n * ROLL,
    deposits: [[11, 'depositor', 2n * ROLL]],
  },
  typo: { ending: 'canceled', at: 9, by: 'core-team', deposit: 30n * ROLL },
  relayers: {
    ending: 'canceled',
    at: 10,
    by: 'treasurer',
    crowd: { seconds: [16, 38], large: '....YN.....', drawn: [14, 70], mix: [50, 40, 10, 0] },
  },
  patch: {
    ending: 'passed',
    at: 14,
    by: 'security',
    expedited: true,
    messages: ({ governance }) => [softwareUpgrade(governance, 'v1.4.2', 5_000_000n)],
    crowd: { seconds: [16, 36], large: 'YYYYY.YYAYY', drawn: [38, 80], mix: [95, 2, 3, 0] },
  },
  oracle: {
    ending: 'passed',
    at: 18,
    by: 'core-team',
    expedited: true,
    // Round 2 begins empty: some vote again, some do not, some change their vote.
    crowd: { seconds: [20, 40], large: 'NYNYNYYNYA.', drawn: [30, 100], mix: [50, 40, 10, 0] },
    again: { seconds: [46, 90], large: 'YYNYYY.NYY.', drawn: [30, 140], mix: [65, 25, 10, 0] },
  },
  vanished: { ending: 'canceled' },
  /** Passes, and then governance votes on it, on another, and submits one itself. */
  council: {
    ending: 'passed',
    at: 62,
    by: 'council',
    messages: ({ governance, proposals }) => {
      // The ids are given out in order: the next one is this very proposal.
      const next = BigInt(proposals.size + 1)
      return [
        vote(next, governance, YES, 'governance, on itself'),
        vote(next + 1n, governance, YES, 'governance, on the treasury report'),
        submit(governance, textOf('followUp'), 5n * ROLL),
      ]
    },
    crowd: { seconds: [71, 130], large: 'YYY.YN.Y..Y', drawn: [26, 100], mix: [80, 10, 10, 0] },
  },
  /** Outlives the one before, so that governance's vote on it counts. */
  treasury: {
    ending: 'passed',
    at: 68,
    by: 'treasurer',
    messages: async (scene) => [
      ...pay('treasurer', 2_500n)(scene),
      await scene.state.updateStaking({ maxValidators: 70 }),
    ],
    crowd: { seconds: [72, 140], large: 'YNYYYNYAYYN', drawn: [31, 160], mix: [60, 25, 10, 5] },
  },
  unicode: {
    ending: 'passed',
    at: 72,
    by: 'community',
    crowd: { seconds: [75, 140], large: 'YY..Y.N.Y..', drawn: [18, 90], mix: [75, 10, 15, 0] },
  },
  ethics: {
    ending: 'rejected',
    at: 76,
    by: 'council',
    crowd: { seconds: [79, 145], large: 'AAA.AA.AAAA', drawn: [0, 0], mix: [0, 0, 100, 0] },
  },
  standards: {
    ending: 'rejected',
    at: 80,
    by: 'core-team',
    messages: ({ governance }) => {
      const title = textOf('standards').title.slice(0, 120)
      return [textContent(governance, title, 'The text is in the summary.')]
    },
    crowd: { seconds: [83, 150], large: 'NYNYNYNYANY', drawn: [35, 130], mix: [45, 40, 5, 10] },
  },
  communityTax: {
    ending: 'passed',
    at: 142,
    by: 'council',
    messages: async ({ state }) => [
      await state.updateStaking({ minCommissionRate: '50000000000000000' }),
    ],
    crowd: { seconds: [146, 214], large: 'YYNYYN.YAYN', drawn: [34, 220], mix: [55, 35, 8, 2] },
  },
  /** Submitted by governance when the council's proposal passed; another account pays its deposit. */
  followUp: {
    ending: 'passed',
    deposits: [[147, 'depositor', 100n * ROLL]],
    crowd: { seconds: [150, 218], large: 'YY.Y.Y...N.', drawn: [20, 60], mix: [70, 20, 10, 0] },
  },
  smartAccounts: {
    ending: 'passed',
    at: 174,
    by: 'core-team',
    crowd: { seconds: [178, 238], large: 'YYNNYAYN.YY', drawn: [38, 310], mix: [50, 38, 10, 2] },
  },
  outage: {
    ending: 'rejected',
    at: 194,
    by: 'community',
    expedited: true,
    messages: pay('community', 40_000n),
    crowd: { seconds: [197, 216], large: 'YYNNYN.AYN.', drawn: [24, 90], mix: [50, 40, 10, 0] },
    again: { seconds: [222, 237], large: '.YYN.......', drawn: [24, 70], mix: [50, 40, 10, 0] },
  },
  hackathon: {
    ending: 'dropped',
    at: 224,
    by: 'community',
    deposit: 15n * ROLL,
    deposits: [[231, 'depositor', 20n * ROLL]],
  },
} satisfies Record<string, Plan>

export type ProposalKey = keyof typeof plot
export const PLOT: Readonly<Record<ProposalKey, Plan>> = plot

type Aside = readonly [at: number, play: () => Promise<unknown>]

function listAsides(scene: Scene, contract: string): Aside[] {
  const withdraw = (name: ProposalKey, by: Person) => {
    const author = scene.person(by)
    return scene.send(author, [cancel(scene.id(name), author.address)])
  }
  const findFollowUp = async () => scene.proposals.set('followUp', await scene.state.ownProposal())
  return [
    [5, () => voteAtTheBell(scene, 'constitution', 240)],
    [12, () => voteThroughAuthz(scene, 'constitution')],
    [15, () => withdraw('typo', 'core-team')],
    [16, () => voteThroughContract(scene, contract, 'constitution')],
    [25, () => changeMind(scene, 'constitution', 10)],
    [40, () => moveStake(scene, 0)],
    [42, () => withdraw('relayers', 'treasurer')],
    [54, () => vanish(scene)],
    [80, () => voteInVain(scene, 'constitution')],
    [95, () => leave(scene, 30)],
    [100, () => moveStake(scene, 1)],
    [104, () => changePools(scene)],
    [120, () => voteThroughContract(scene, contract, 'treasury')],
    [145, findFollowUp],
    [146, () => voteAtTheBell(scene, 'communityTax', 260)],
    [150, () => comeBack(scene, 30)],
    [170, () => moveStake(scene, 2)],
    [185, () => voteThroughAuthz(scene, 'communityTax')],
    [188, () => changeMind(scene, 'communityTax', 60)],
    [200, () => voteThroughContract(scene, contract, 'smartAccounts')],
    [210, () => changeMind(scene, 'smartAccounts', 90)],
    [216, () => moveStake(scene, 3)],
    // In the block that closes a vote.
    [216.9, () => moveStake(scene, 4)],
  ]
}

async function playProposal(scene: Scene, name: ProposalKey): Promise<void> {
  const plan = PLOT[name]
  const { at, by, expedited = false, crowd, again, deposits = [] } = plan
  if (at !== undefined && by) {
    await scene.at(at)
    const messages = (await plan.messages?.(scene)) ?? []
    const submission = { ...textOf(name), deposit: plan.deposit, expedited, messages }
    await scene.propose(by, { [name]: submission })
  }
  for (const [second, from, amount] of deposits) {
    await scene.at(second)
    const { address } = scene.person(from)
    await scene.send(scene.person(from), [deposit(scene.id(name), address, amount)])
  }
  if (crowd) await voteInCrowd(scene, name, crowd)
  if (again) await voteInCrowd(scene, name, again, 2)
}

/** Ends with the plot, while some votes are open; the chain continues. Answers its last height. */
export async function playScenario(scene: Scene): Promise<number> {
  const contract = await prepare(scene)
  scene.begin()
  const asides = listAsides(scene, contract).map(async ([second, play]) => {
    await scene.at(second)
    await play()
  })
  const names = Object.keys(PLOT) as ProposalKey[]
  await Promise.all([...asides, ...names.map((name) => playProposal(scene, name))])
  await scene.at(SECONDS)
  const lastHeight = scene.chain.tip().height
  // One more block, so that the last height is committed and hash-linked.
  await scene.chain.untilHeight(lastHeight + 1)
  return lastHeight
}
