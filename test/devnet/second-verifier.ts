// Runs the independent verifier built from `node/verify-proof`, with one claim per line.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { buildVerifier } from './build-node.ts'

/** `path`: light blocks as the RPC has them, from the trusted one to the one of the proof. Heights are of the state. */
export type GoClaim = {
  chainId: string
  proposalId: number
  trustedHash: string
  height: number
  path: readonly unknown[]
  key: unknown
  value: unknown
  proofOps: unknown
}

export type GoResult = {
  ok: boolean
  reason?: string
  status?: string
  tally?: Record<string, string>
}

export type SecondVerifier = {
  verify(claim: GoClaim): Promise<GoResult>
  close(): void
}

export const startSecondVerifier = async (): Promise<SecondVerifier> => {
  const child = spawn(await buildVerifier(), { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    verify: async (claim) => {
      child.stdin.write(`${JSON.stringify(claim)}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error('the second verifier has ended')
      return JSON.parse(value)
    },
    close: () => child.kill(),
  }
}
