// What happens besides the proposals: the community pool, the contracts and light clients of the story, and stake that moves.

import { fundPool } from '../messages.ts'
import { ROLL } from '../scenario/scene.ts'
import { eventValue } from '../transactions.ts'
import { DAY_MS } from './chain-spec.ts'
import { createClient } from './light-client.ts'
import { createEscrow, uploadCode } from './messages.ts'
import { type Playing, toStoryMs } from './schedule.ts'
import { moveStake } from './stake-moves.ts'
import { findMade, type Stage } from './story.ts'

type Setting = Omit<Playing, 'proposals'>

const FOUNDERS = ['treasurer', 'faucet'] as const
const ENDOWMENT = 900_000n * ROLL
const TRUSTING_DAYS = 14
/** The first client has expired when its recovery is proposed, the second one is new. */
const CLIENT_DAYS = { 'expired client': 60, 'new client': 94 } as const

async function deployEscrow(stage: Stage): Promise<void> {
  const owner = stage.person('core-team')
  const code = await uploadCode(owner.address, findMade(stage, 'file of the first escrow'))
  await stage.chain.send(owner, [code], { gas: 30_000_000 })
  const message = createEscrow(owner.address, stage, 'grants escrow')
  const outcome = await stage.chain.send(owner, [message], { gas: 3_000_000 })
  stage.made.set('escrow', eventValue(outcome, 'instantiate', '_contract_address'))
}

async function addClient(stage: Stage, name: string, height: bigint): Promise<void> {
  const signer = stage.person('core-team')
  const message = createClient(signer.address, stage.chain.tip().timeMs, {
    chainId: 'meridian-1',
    trustingSeconds: TRUSTING_DAYS * 86_400,
    height,
  })
  const outcome = await stage.chain.send(signer, [message])
  stage.made.set(name, eventValue(outcome, 'create_client', 'client_id'))
}

const LIVE_MOVES = 8
/** The first turns belong to the proposals. */
const FIRST_LIVE_TURN = 1_000

function scheduleLiveMoves({ stage, timeline, electorate }: Setting): void {
  const stepMs = (timeline.endMs - timeline.liveFromMs) / (LIVE_MOVES + 1)
  for (let step = 1; step <= LIVE_MOVES; step++) {
    timeline.add(Math.floor(timeline.liveFromMs + step * stepMs), () =>
      moveStake(stage, electorate, FIRST_LIVE_TURN + step),
    )
  }
}

export function scheduleSetting(setting: Setting): void {
  const { stage, timeline } = setting
  timeline.add(toStoryMs(timeline, 0) + DAY_MS / 4, () =>
    Promise.all([
      deployEscrow(stage),
      ...FOUNDERS.map((name) => {
        const founder = stage.person(name)
        return stage.chain.send(founder, [fundPool(founder.address, ENDOWMENT)])
      }),
    ]),
  )
  for (const [index, [name, day]] of Object.entries(CLIENT_DAYS).entries()) {
    timeline.add(toStoryMs(timeline, day), () => addClient(stage, name, 4_100_000n + BigInt(index)))
  }
  scheduleLiveMoves(setting)
}
