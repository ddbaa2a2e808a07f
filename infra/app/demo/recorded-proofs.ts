// Recorded validators of each height, and a proof of each proposal at each height where it changed.

/** `key` in lower-case hex; `response` is the text of `response` from the node. */
export type StoreAnswer = { height: number; key: string; response: string }

export type RecordedProofs = {
  /** The text of `validators` at each height, the first recorded one first. All on one page. */
  validators: readonly string[]
  store: readonly StoreAnswer[]
}

export const STORE_PATH = '/store/gov/key'

export const encodeProofs = (proofs: RecordedProofs): Buffer => Buffer.from(JSON.stringify(proofs))

export type Proofs = {
  /** `height` counts from 0, at the first recorded one. */
  validators(index: number): string | undefined
  storeAnswer(height: number, key: Uint8Array): string | undefined
}

const toAnswerKey = (height: number, key: string): string => `${height}/${key}`

export const openProofs = (bytes: Uint8Array): Proofs => {
  const recorded: RecordedProofs = JSON.parse(Buffer.from(bytes).toString('utf8'))
  const answers = new Map(
    recorded.store.map(({ height, key, response }) => [toAnswerKey(height, key), response]),
  )
  return {
    validators: (index) => recorded.validators[index],
    storeAnswer: (height, key) =>
      answers.get(toAnswerKey(height, Buffer.from(key).toString('hex'))),
  }
}
