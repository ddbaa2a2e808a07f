// The rules of x/gov with the tally of the oracle, which shares no code with the product.
import {
  type Ending,
  endGovernanceBlock as endBlock,
  type Governance,
  type SimProposal,
  votesOn,
} from '../../support/simulator/keepers/governance.ts'
import type { Staking } from '../../support/simulator/keepers/staking.ts'
import { computeTally, type OracleTally } from './tally.ts'

export type OracleProposal = SimProposal<OracleTally>
export type OracleGovernance = Governance<OracleTally>

type Modules = { staking: Staking; governance: OracleGovernance }

export const endGovernanceBlock = (
  { staking, governance }: Modules,
  height: number,
  carryOut: (ending: Ending<OracleTally>) => void,
): void => endBlock({ staking, governance, computeTally }, height, carryOut)

/** The chain's own tally of each open vote. */
export const listOpenRounds = ({ staking, governance }: Modules) =>
  [...governance.proposals.values()]
    .filter(({ status }) => status === 'voting')
    .map(({ id, round }) => ({
      id,
      round,
      tally: computeTally(staking, votesOn(governance, id)),
    }))
