// Runs all stories of the plot in parallel; each waits for its own time.
import {
  airdrop,
  ambassadors,
  bridge,
  constitution,
  oracle,
  patch,
  quorum,
  translations,
  withdrawn,
} from './first-votes.ts'
import { council, ethics, standards, unicode } from './later-votes.ts'
import { commission, followUp, hackathon, outage, smartAccounts } from './live-votes.ts'
import type { Story } from './scene.ts'

export const STORIES: readonly Story[] = [
  constitution,
  quorum,
  ambassadors,
  airdrop,
  translations,
  bridge,
  withdrawn,
  patch,
  oracle,
  council,
  unicode,
  ethics,
  standards,
  commission,
  followUp,
  smartAccounts,
  outage,
  hackathon,
]
