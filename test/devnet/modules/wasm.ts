// Proposals about contracts: code of several sizes, and every message of x/wasm that governance can sign.
import {
  MsgAddCodeUploadParamsAddresses,
  MsgClearAdmin,
  MsgExecuteContract,
  MsgInstantiateContract,
  MsgInstantiateContract2,
  MsgMigrateContract,
  MsgPinCodes,
  MsgRemoveCodeUploadParamsAddresses,
  MsgStoreAndInstantiateContract,
  MsgStoreAndMigrateContract,
  MsgStoreCode,
  MsgSudoContract,
  MsgUnpinCodes,
  MsgUpdateAdmin,
  MsgUpdateContractLabel,
  MsgUpdateInstantiateConfig,
} from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { AccessType } from 'cosmjs-types/cosmwasm/wasm/v1/types'
import { coin } from '../messages.ts'
import { pack } from './pack.ts'
import { jsonBytes, type ModuleProposal, type Stage } from './stage.ts'

const EVERYBODY = { permission: AccessType.ACCESS_TYPE_EVERYBODY, addresses: [] }
/** The chain looks at code when it runs a proposal, not when it is submitted. */
const createBytes = (size: number) => Buffer.alloc(size, 'no contract, only bytes. ')

function codes({ governance: sender, contract, code, other }: Stage): ModuleProposal[] {
  const some = { permission: AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES, addresses: [sender, other] }
  return [
    { name: 'wasm store', messages: [pack(MsgStoreCode, { sender, wasmByteCode: code })] },
    {
      name: 'wasm store of bytes at the limit of what is shown and beyond it',
      messages: [4_096, 4_097].map((size) =>
        pack(MsgStoreCode, {
          sender,
          wasmByteCode: createBytes(size),
          instantiatePermission: EVERYBODY,
        }),
      ),
    },
    {
      name: 'wasm store and instantiate',
      messages: [
        pack(MsgStoreAndInstantiateContract, {
          authority: sender,
          wasmByteCode: createBytes(5_000),
          instantiatePermission: some,
          unpinCode: true,
          admin: sender,
          label: 'vault',
          msg: jsonBytes({ owner: other, limits: [1, 2.5, null], nested: { é: '<&>' } }),
          funds: [coin(1n)],
          source: 'https://example.invalid/source.tar.gz',
          builder: 'cosmwasm/optimizer:0.16.0',
          codeHash: createBytes(32),
        }),
      ],
    },
    {
      name: 'wasm store and migrate',
      messages: [
        pack(MsgStoreAndMigrateContract, {
          authority: sender,
          wasmByteCode: createBytes(100),
          contract,
          msg: jsonBytes({}),
        }),
      ],
    },
  ]
}

function contracts({ governance: sender, contract, codeId, recipient }: Stage): ModuleProposal[] {
  // Not what JSON.stringify writes: the node shows the text as it was sent.
  const untidy = Buffer.from('{ "b": 18446744073709551616,\n  "a": 1.50, "a": "\\u00e9" }')
  return [
    {
      name: 'wasm instantiate',
      messages: [
        pack(MsgInstantiateContract, {
          sender,
          admin: sender,
          codeId,
          label: 'council',
          msg: jsonBytes({}),
          funds: [coin(10n)],
        }),
      ],
    },
    {
      name: 'wasm instantiate without an admin, at a predictable address',
      messages: [
        pack(MsgInstantiateContract2, {
          sender,
          codeId,
          label: 'council two',
          msg: jsonBytes({ members: [] }),
          salt: Buffer.from('salt'),
          fixMsg: true,
        }),
      ],
    },
    {
      name: 'wasm execute',
      messages: [
        pack(MsgExecuteContract, {
          sender,
          contract,
          msg: jsonBytes({ change_owner: { owner: recipient } }),
          funds: [coin(3n)],
        }),
        pack(MsgExecuteContract, { sender, contract, msg: untidy }),
      ],
    },
    {
      name: 'wasm migrate',
      messages: [pack(MsgMigrateContract, { sender, contract, codeId, msg: jsonBytes({}) })],
    },
    {
      name: 'wasm sudo',
      messages: [
        pack(MsgSudoContract, { authority: sender, contract, msg: jsonBytes({ pause: true }) }),
      ],
    },
  ]
}

function administration({ governance, contract, codeId, other }: Stage): ModuleProposal[] {
  const sender = governance
  const authority = governance
  return [
    {
      name: 'wasm pin',
      messages: [pack(MsgPinCodes, { authority, codeIds: [codeId, codeId + 1n] })],
    },
    { name: 'wasm unpin', messages: [pack(MsgUnpinCodes, { authority, codeIds: [codeId] })] },
    {
      name: 'wasm set admin, clear admin and label',
      messages: [
        pack(MsgUpdateAdmin, { sender, contract, newAdmin: other }),
        pack(MsgClearAdmin, { sender, contract }),
        pack(MsgUpdateContractLabel, { sender, contract, newLabel: 'another label' }),
      ],
    },
    {
      name: 'wasm upload addresses and instantiate config',
      messages: [
        pack(MsgAddCodeUploadParamsAddresses, { authority, addresses: [other] }),
        pack(MsgRemoveCodeUploadParamsAddresses, { authority, addresses: [other] }),
        pack(MsgUpdateInstantiateConfig, {
          sender,
          codeId,
          newInstantiatePermission: EVERYBODY,
        }),
      ],
    },
  ]
}

export const wasmProposals = (stage: Stage): ModuleProposal[] =>
  [codes, contracts, administration].flatMap((make) => make(stage))
