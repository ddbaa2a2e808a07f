// Tests the text of a proposal that has it only in the legacy content that it executes, in the state and in the transaction.
import { MsgExecLegacyContent, MsgSubmitProposal } from 'cosmjs-types/cosmos/gov/v1/tx'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { SoftwareUpgradeProposal } from 'cosmjs-types/cosmos/upgrade/v1beta1/upgrade'
import { describe, expect, it } from 'vitest'
import { proposalText } from '../../../../ingest/chain/proposal-content.ts'
import { submissionsInTx } from '../../../../ingest/derive/tx-messages.ts'

type Content = { typeUrl: string; value: Uint8Array }

const textContent = (title: string, description: string): Content => ({
  typeUrl: TextProposal.typeUrl,
  value: TextProposal.encode({ title, description }).finish(),
})

const execute = (content: Content | undefined): Content => ({
  typeUrl: MsgExecLegacyContent.typeUrl,
  value: MsgExecLegacyContent.encode({ ...(content && { content }), authority: 'gov' }).finish(),
})

const OTHER = { typeUrl: '/cosmos.gov.v1.MsgUpdateParams', value: new Uint8Array([0xff]) }
const BLANK = { title: '', summary: ' ' }

describe('the text of a proposal that executes legacy content', () => {
  it('is that of the content if the proposal has none', () => {
    const messages = [OTHER, execute(textContent('Old', 'Words'))]
    expect(proposalText(BLANK, messages)).toEqual({ title: 'Old', summary: 'Words' })
  })

  it('is that of any kind of content', () => {
    const upgrade = SoftwareUpgradeProposal.fromPartial({ title: 'v9', description: 'Upgrade' })
    const value = SoftwareUpgradeProposal.encode(upgrade).finish()
    const messages = [execute({ typeUrl: SoftwareUpgradeProposal.typeUrl, value })]
    expect(proposalText(BLANK, messages)).toEqual({ title: 'v9', summary: 'Upgrade' })
    const custom = [execute({ ...textContent('Own', 'Type'), typeUrl: '/a.chain.v1.Content' })]
    expect(proposalText(BLANK, custom)).toEqual({ title: 'Own', summary: 'Type' })
  })

  it('replaces only what is blank, with the first content that has it', () => {
    const messages = [
      execute(undefined),
      execute(textContent('\u200b', 'First words')),
      execute(textContent('Second', 'Second words')),
    ]
    expect(proposalText(BLANK, messages)).toEqual({ title: 'Second', summary: 'First words' })
    expect(proposalText({ title: 'Own', summary: '' }, messages)).toEqual({
      title: 'Own',
      summary: 'First words',
    })
    const own = { title: 'Own', summary: 'Own words' }
    expect(proposalText(own, messages)).toEqual(own)
  })

  it('stays as sent without such content', () => {
    expect(proposalText(BLANK, [OTHER])).toEqual(BLANK)
  })

  it('is the same from the transaction', () => {
    const submit = MsgSubmitProposal.fromPartial({
      messages: [execute(textContent('Old', 'Words'))],
      proposer: 'a',
      metadata: 'm',
    })
    const value = MsgSubmitProposal.encode(submit).finish()
    const messages = [{ typeUrl: MsgSubmitProposal.typeUrl, value }]
    const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages })).finish()
    const [found] = submissionsInTx(TxRaw.encode(TxRaw.fromPartial({ bodyBytes })).finish())
    expect(JSON.stringify(found)).toContain('"title":"Old","summary":"Words","metadata":"m"')
  })
})
