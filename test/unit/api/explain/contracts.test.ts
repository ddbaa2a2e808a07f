// CosmWasm messages: codes, contracts and their messages.
import { describe, expect, it } from 'vitest'
import { ATOM, explain, lines, plain } from '../../../support/api/explained.ts'

const CONTRACT = 'osmo1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xuqypqxpq9qcrsszg2pvxq6'
const ADMIN = 'osmo1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu'
const wasm = (name: string, fields: Record<string, unknown>) => ({
  '@type': `/cosmwasm.wasm.v1.${name}`,
  ...fields,
})
const everybody = { permission: 'ACCESS_TYPE_EVERYBODY', addresses: [] }

describe('CosmWasm codes', () => {
  it('are stored with their size, digest and instantiate permission', () => {
    const bytes = { sha256: 'cd'.repeat(32), size: 480_123 }
    const message = wasm('MsgStoreCode', {
      sender: ADMIN,
      wasm_byte_code: bytes,
      instantiate_permission: everybody,
    })
    const explanation = explain(message)
    expect(plain(explanation.summary)).toBe(
      'Stores a CosmWasm code of 480 123 bytes on the chain. It does nothing until a contract uses it.',
    )
    expect(lines(explanation).slice(1)).toEqual([
      `SHA-256 of the upload: ${bytes.sha256}`,
      'Instantiate permission: Everyone',
    ])
  })

  it('have the digest of bytes in the message', () => {
    const message = wasm('MsgStoreCode', { wasm_byte_code: Buffer.from('abc').toString('base64') })
    expect(lines(explain(message))).toContain(
      'SHA-256 of the upload: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  it('list the addresses of an instantiate permission', () => {
    const permission = { permission: 'ACCESS_TYPE_ANY_OF_ADDRESSES', addresses: [ADMIN] }
    const message = wasm('MsgStoreCode', { wasm_byte_code: '', instantiate_permission: permission })
    expect(lines(explain(message)).slice(-2)).toEqual([
      'Instantiate permission: The listed addresses',
      `Address: ${ADMIN}`,
    ])
  })

  it('are pinned and unpinned by ID', () => {
    const explanation = explain(wasm('MsgPinCodes', { code_ids: ['8', '9'] }))
    expect(explanation.summary).toBe(
      'Pins 2 CosmWasm codes in the memory of the nodes, so that calls cost less gas.',
    )
    expect(lines(explanation)).toEqual(['Code: 8', 'Code: 9'])
    expect(explain(wasm('MsgUnpinCodes', { code_ids: ['8'] })).summary).toContain(
      'Unpins the CosmWasm code 8',
    )
  })
})

describe('CosmWasm contracts', () => {
  it('are migrated to another code', () => {
    const message = wasm('MsgMigrateContract', {
      sender: ADMIN,
      contract: CONTRACT,
      code_id: '8',
      msg: { upgrade: { fee: '1' } },
    })
    const explanation = explain(message)
    expect(explanation.summary).toBe('Migrates a contract to the CosmWasm code 8.')
    expect(lines(explanation)).toEqual([
      `Contract: ${CONTRACT}`,
      'New code: 8',
      'Message to the new code: {\n  "upgrade": {\n    "fee": "1"\n  }\n}',
    ])
  })

  it('are called with their method and their funds', () => {
    const message = wasm('MsgExecuteContract', {
      sender: ADMIN,
      contract: CONTRACT,
      msg: { pay_out: {} },
      funds: [{ denom: 'uatom', amount: '1000000' }],
    })
    expect(explain(message, { displayUnit: ATOM }).summary).toBe(
      'Calls “pay_out” of a contract with 1 ATOM.',
    )
  })

  it('are called by the chain, with JSON that can be in base64', () => {
    const msg = Buffer.from('{"halt":{"reason":"x"}}').toString('base64')
    const explanation = explain(wasm('MsgSudoContract', { contract: CONTRACT, msg }))
    expect(explanation.summary).toBe(
      'Calls “halt” of a contract with the rights of the chain (sudo).',
    )
    expect(explanation.details.at(-1)?.value).toEqual({
      kind: 'json',
      text: '{\n  "halt": {\n    "reason": "x"\n  }\n}',
    })
  })

  it('are created with a label and an admin', () => {
    const message = wasm('MsgInstantiateContract', {
      sender: ADMIN,
      admin: '',
      code_id: '8',
      label: 'Vault',
      msg: {},
      funds: [],
    })
    const explanation = explain(message)
    expect(explanation.summary).toBe('Creates a contract “Vault” from the CosmWasm code 8.')
    expect(lines(explanation)).toContain('Admin: None: no account can migrate the contract')
  })

  it('get a new admin, or none', () => {
    const update = wasm('MsgUpdateAdmin', { contract: CONTRACT, new_admin: 'osmo1new' })
    expect(lines(explain(update)).at(-1)).toBe('New admin: osmo1new')
    const clear = wasm('MsgClearAdmin', { contract: CONTRACT })
    expect(explain(clear).summary).toBe(
      'Removes the admin of a contract. Only governance can migrate it after that.',
    )
  })

  it('are migrated by the legacy proposal', () => {
    const content = wasm('MigrateContractProposal', { contract: CONTRACT, code_id: '8', msg: {} })
    const message = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content }
    expect(explain(message).title).toBe('Contract migration')
  })
})
