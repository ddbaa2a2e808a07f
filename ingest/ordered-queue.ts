// Runs work concurrently and returns results in order. A bounded queue: a slow consumer slows the producer down.
import { handledLater } from '../infra/base/runtime/abort.ts'

export type OrderedQueue<Item> = {
  /** Waits while the queue is full. `bytes` is the memory that the item holds until it is consumed. */
  push(item: Promise<Item>, bytes?: number): Promise<void>
  /** Ends the queue; `error` reaches the consumer after all pushed items. */
  end(error?: unknown): void
  /** In the order of `push`; ends after `end`, throws its error or the first failed item's error. */
  items(): AsyncGenerator<Item>
}

export type QueueLimits = {
  items: number
  /** Of all items; a larger item waits until the queue is empty. */
  bytes: number
}

export const createOrderedQueue = <Item>(limits: QueueLimits): OrderedQueue<Item> => {
  const pending: { item: Promise<Item>; bytes: number }[] = []
  let pendingBytes = 0
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

  const isFull = (bytes: number): boolean =>
    pending.length >= limits.items || (pending.length > 0 && pendingBytes + bytes > limits.bytes)

  return {
    push: async (item, bytes = 0) => {
      // The error is read at the item's turn; until then it must not count as an unhandled rejection.
      const handled = handledLater(item)
      while (isFull(bytes) && !ended) await waitForSpace()
      pending.push({ item: handled, bytes })
      pendingBytes += bytes
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
            pendingBytes -= next.bytes
            wakeProducer?.()
            yield await next.item
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
