// The power map of a vote: the voting power of each validator, by its vote.
import type { PageContext } from '../../document/context.ts'
import { anchor } from '../../document/line.ts'
import { type Block, paragraph, picture, section } from '../../document/tree.ts'
import { powerMap } from '../../html/power-map.ts'
import { pluralize } from '../../in-words.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

const SAME_FACTS = paragraph(
  [
    'The same data as tables: ',
    anchor('votes', 'votes by validator'),
    ', ',
    anchor('non-voting', 'non-voting validators'),
    '.',
  ],
  'small',
)

export const writePowerMap = ({ extras }: ProposalPageData, at: PageContext): Block => {
  const map = powerMap(extras.powerMap, at)
  if (map === null) return null
  const unknown = extras.powerMap?.unknown ?? 0
  return section(
    { id: 'power-map', title: 'Voting power by validator', isLive: true },
    picture(map.drawn, paragraph(map.shares)),
    unknown > 0 &&
      paragraph(
        `Not shown: ${pluralize(unknown, 'validator')} with unknown voting power.`,
        'small soft',
      ),
    SAME_FACTS,
  )
}
