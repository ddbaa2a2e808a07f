// `/light-blocks`: the blocks from which the proof of a result can start.
import type { Static } from 'typebox'
import { lightBlocks } from '../resources/light-blocks.ts'
import type { LightBlockItem, LightBlockPage } from '../schemas/proof.ts'
import { type ItemColumn, Paging, Table } from '../view/blocks.tsx'
import { Time } from '../view/parts.tsx'
import { listDocument, type Page } from './page.ts'

type Data = Static<typeof LightBlockPage>

const COLUMNS: readonly ItemColumn<LightBlockItem>[] = [
  { name: 'Block', cell: ({ height }) => height },
  { name: 'Time', cell: ({ time }) => <Time of={time} /> },
]

const PATH = '/light-blocks'

export const lightBlocksPage: Page<Data> = {
  name: 'blocks',
  path: PATH,
  parseRequest: lightBlocks.parseRequest,
  write: (data, at) =>
    listDocument(data, at, {
      title: 'Blocks for proofs',
      description: 'The blocks of the chain from which the proof of a result can start.',
      path: PATH,
      body: (
        <>
          <p>
            To verify a result, you need one block that you trust, with its hash (its fingerprint).
            Choose a block of this list, not after the end of the vote. Then look up its hash
            elsewhere, such as in a block explorer. This page has no hashes, because a hash from
            Rollcall would prove nothing about Rollcall.
          </p>
          {data.items.length === 0 ? (
            <p>No blocks on this page.</p>
          ) : (
            <Table label="Blocks" caption="Oldest first." columns={COLUMNS} items={data.items} />
          )}
          <Paging list={data} itemNames={['block', 'blocks']} path={PATH} />
        </>
      ),
    }),
}
