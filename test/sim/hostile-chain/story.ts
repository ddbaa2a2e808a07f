// Generates the history of one hostile chain: random actions of validators, delegators, voters and proposers.
// The keepers execute every action, so the state is that of a real chain.
import type { EventSketch, TxSketch } from '../../support/simulator/blocks.ts'
import { endGovernanceBlock } from '../../support/simulator/keepers/governance.ts'
import { endStakingBlock, type PowerUpdate } from '../../support/simulator/keepers/staking.ts'
import type { Tally } from '../../support/simulator/keepers/tally.ts'
import { createTx, endEvent } from '../../support/simulator/messages.ts'
import { createRolls, type Dice } from '../dice.ts'
import { absurdEvent, crowd, cutShort, unreadableVote } from './absurd.ts'
import { createGovernanceActs, type IsTouched } from './governance-acts.ts'
import type { Profile, World } from './profile.ts'
import { createStakingActs } from './staking-acts.ts'

/** A round that the chain tallied. */
export type EndedRound = { round: number; id: string; tally: Tally }

export type SimBlock = {
  begin: EventSketch[]
  txs: TxSketch[]
  end: EventSketch[]
  powerUpdates: PowerUpdate[]
  ended: EndedRound[]
  /** Proposals with an undecodable vote. */
  unreadable: string[]
}

const emptyBlock = (): SimBlock => ({
  begin: [],
  txs: [],
  end: [],
  powerUpdates: [],
  ended: [],
  unreadable: [],
})

/** Yields one block after the other; then `world` has the state after that block. */
export const createStory = (dice: Dice, world: World, profile: Profile) => {
  const rolls = createRolls(dice, 'story')
  const stakingActs = createStakingActs(world, rolls)
  const governanceActs = createGovernanceActs(world, { rolls, profile })

  const act = (block: SimBlock, height: number): void => {
    const messages = rolls.happens(profile.stakePercent)
      ? stakingActs.move(height)
      : governanceActs.act(height)
    if (messages.length === 0) return
    const tx = createTx(...messages)
    block.txs.push(rolls.happens(profile.cutPercent) ? cutShort(rolls, tx) : tx)
  }
  /** Events without effect on the chain. Undecodable votes are excluded, because they make a vote uncertain. */
  const absurdEvents = (): EventSketch[] =>
    rolls.happens(profile.absurdPercent)
      ? Array.from({ length: 1 + rolls.below(4) }, () => absurdEvent(rolls))
      : []
  const disturb = (block: SimBlock): void => {
    const strange = absurdEvents()
    if (strange.length > 0) block.txs.push({ events: strange })
    block.end.push(...absurdEvents())
    const pretended = governanceActs.pretend()
    if (pretended && rolls.happens(20)) {
      block.txs.push({ ...createTx(pretended), code: 1 + rolls.below(30) })
    }
    const id = governanceActs.openVote()
    if (!id || !profile.unreadableVotes || !rolls.happens(6)) return
    block.txs.push({ events: [unreadableVote(rolls, id)] })
    block.unreadable.push(id)
  }
  const endBlock = (block: SimBlock, height: number, isTouched: IsTouched): void => {
    endGovernanceBlock(world, height, (ending) => {
      const { proposal, kind } = ending
      if (kind === 'dropped') return void block.end.push(endEvent(ending))
      const round = kind === 'restarted' ? proposal.round - 1 : proposal.round
      block.ended.push({ round, id: proposal.id, tally: ending.tally })
      if (kind === 'passed') block.end.push(...governanceActs.carryOut(proposal, isTouched))
      block.end.push(endEvent(ending))
    })
    block.powerUpdates = endStakingBlock(world.staking, height)
  }

  return (height: number): SimBlock => {
    const block = emptyBlock()
    const sharesBefore = new Map(
      [...world.staking.validators].map(([name, { shares }]) => [name, shares]),
    )
    if (rolls.happens(profile.slashPercent)) block.begin.push(...stakingActs.slash())
    const crowdSize = profile.crowdAt(height)
    if (crowdSize > 0) block.txs.push(crowd(crowdSize))
    if (!rolls.happens(profile.quietPercent)) {
      const acts = 1 + rolls.below(profile.mostActs)
      for (let count = 0; count < acts; count++) act(block, height)
    }
    disturb(block)
    endBlock(
      block,
      height,
      (name) => world.staking.validators.get(name)?.shares !== sharesBefore.get(name),
    )
    return block
  }
}
