// How every reader recognizes data of the recorded demo chain: by the chain ID, which travels with every event and table.

/** Each recording of a new scenario may have the next number. */
const DEMO_CHAIN_ID = /^rollcall-demo-\d+$/

export const isDemoChain = (chainId: string): boolean => DEMO_CHAIN_ID.test(chainId)

export const DEMO_NOTE =
  'This is the recorded demo chain: its accounts, proposals and votes are invented.'
