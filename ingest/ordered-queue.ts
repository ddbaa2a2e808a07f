// Runs work concurrently and returns results in order. A bounded queue: a slow consumer slows the producer down.
import { handledLater } from '../infra/runtime/promises.ts'

export type OrderedQueue<Item> = {
  /** Waits while the queue is full. */
  push(item: Promise<Item>): Promise<void>
  /** Ends the queue; `error` reaches the consumer after all pushed items. */
  end(error?: unknown): void
  /** In the order of `push`; ends after `end`, throws its error or the first failed item's error. */
  items(): AsyncGenerator<Item>
}

export const createOrderedQueue = <Item>(limit: number): OrderedQueue<Item> => {
  const pending: Promise<Item>[] = []
  let ended: { error: unknown } | undefined
  let wakeConsumer: (() => void) | undefined
  let wakeProducer: (() => void) | undefined
  const waitForSpace = () =>
    new Promise<void>((resolve) => {
      wakeProducer = resolve
    })
  const waitForItem = () =>
    new Promise<void>((resolve) => {
      wakeConsumer = resolve
    })

  return {
    push: async (item) => {
      // The error is read at the item's turn; until then it must not count as an unhandled rejection.
      const handled = handledLater(item)
      while (pending.length >= limit && !ended) await waitForSpace()
      pending.push(handled)
      wakeConsumer?.()
    },
    end: (error) => {
      ended ??= { error }
      wakeConsumer?.()
      wakeProducer?.()
    },
    items: async function* () {
      try {
        for (;;) {
          if (pending.length > 0) {
            const next = pending.shift()!
            wakeProducer?.()
            yield await next
          } else if (ended) {
            if (ended.error !== undefined) throw ended.error
            return
          } else await waitForItem()
        }
      } finally {
        // A consumer that stopped must not block the producer.
        ended ??= { error: undefined }
        wakeProducer?.()
      }
    },
  }
}
