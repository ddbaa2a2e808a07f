// Loads the state of a node into a simulated chain, and compares what both say of it.

import type { AbciResponse } from '../../../infra/app/chain/query.ts'
import { answerQuery } from '../../../infra/app/chain/query.ts'
import { questionsAt } from '../../devnet/questions.ts'
import { createSimulatedQuery } from '../simulator/queries/simulated.ts'
import { createView } from '../simulator/state/simulated-view.ts'
import { loadState } from './loaded-state.ts'

/** A query of a node at one height. */
type AskNode = (path: string, data: Uint8Array) => Promise<Pick<AbciResponse, 'code' | 'value'>>

/** Compares the responses to every kind of question, byte for byte. */
export const compareWithNode = async (askNode: AskNode, height: number) => {
  const ask = async (path: string, data: Uint8Array) =>
    Buffer.from((await askNode(path, data)).value ?? '', 'base64')
  const view = createView(await loadState(ask))
  const questions = await questionsAt(({ path, data }) => ask(path, data))
  const differing: unknown[] = []
  for (const { path, data } of questions) {
    const simulated = answerQuery(
      { path, data, height: BigInt(height), prove: false },
      { tip: height, stateAt: () => view, findQuery: () => createSimulatedQuery(path) },
    )
    const real = await askNode(path, data)
    if (JSON.stringify(real) === JSON.stringify(simulated)) continue
    differing.push({ path, data: Buffer.from(data).toString('hex'), real, simulated })
  }
  return { asked: questions.length, differing }
}
