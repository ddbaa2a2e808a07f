// `/light-blocks`: the blocks of the chain from which the proof of a result can start.
import { time } from '../document/line.ts'
import { column, paging, paragraph, table } from '../document/tree.ts'
import { lightBlocks } from '../resources/light-blocks.ts'
import type { LightBlockItem } from '../schemas/proof.ts'
import { listDocument, type Page } from './page.ts'

const PATH = '/light-blocks'

const LEAD =
  'To verify a result, you need one block that you trust, with its hash (its fingerprint). ' +
  'Choose a block of this list, not after the end of the vote. ' +
  'Then look up its hash elsewhere, such as in a block explorer. ' +
  'This page has no hashes, because a hash from Rollcall would prove nothing about Rollcall.'

const COLUMNS = [
  column<LightBlockItem>('Block', ({ height }) => height),
  column<LightBlockItem>('Time', ({ time: at }) => time(at)),
]

type Body = ReturnType<ReturnType<typeof lightBlocks.query>['complete']>

export const lightBlocksPage: Page<Body> = {
  name: 'blocks',
  path: PATH,
  parseRequest: lightBlocks.parseRequest,
  write: (data, at) =>
    listDocument(data, at, {
      title: 'Blocks for proofs',
      description: 'The blocks of the chain from which the proof of a result can start.',
      path: PATH,
      blocks: [
        paragraph(LEAD),
        data.items.length === 0
          ? paragraph('No blocks on this page.')
          : table({
              label: 'Blocks',
              caption: 'Oldest first.',
              columns: COLUMNS,
              items: data.items,
            }),
        paging({ list: data, itemNames: ['block', 'blocks'], path: PATH }),
      ],
    }),
}
