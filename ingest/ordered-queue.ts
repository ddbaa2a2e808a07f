// Work that runs side by side and is taken in order: bounded, so that a slow consumer holds the producer back.
import { handledLater } from '../infra/runtime/promises.ts'

export type OrderedQueue<Item> = {
  /** Waits while the queue is full. */
  push(item: Promise<Item>): Promise<void>
  /** No more will come; `error` reaches the consumer after all that was pushed. */
  end(error?: unknown): void
  /** In the order of `push`; ends with `end`, throws its error or the first failed item's. */
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
      // Looked at when its turn comes; until then a failure is not an unhandled one.
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
        // A consumer that gave up must not leave the producer waiting for room.
        ended ??= { error: undefined }
        wakeProducer?.()
      }
    },
  }
}
