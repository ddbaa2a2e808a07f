// THE ONE EXCEPTION to the public API of `kafkajs` (decision 5): a fetch at an offset without joining a consumer group.
// A consumer of the library reads only as a member of a group, and returns some aborted records. A partition assigner
// receives the `Cluster`. Its type is public and its brokers fetch, so an assigner gives access to it.
import { type Cluster, type Kafka, roundRobin } from './kafka-client.ts'
import type { AbortedTransaction, FetchedMessage } from './kafka-record.ts'

export type FetchLimits = {
  maxBytes: number
  /** How long the broker waits for a record. */
  waitMs: number
}

export type FetchedPartition = {
  /** All messages of the fetched batches: also messages before the offset, aborted ones, and markers. */
  messages: FetchedMessage[]
  abortedTransactions: AbortedTransaction[]
  /** Everything before it is decided: committed or aborted. */
  lastStableOffset: string
  /** The offset after all written records, decided or not. */
  highWatermark: string
}

export type Fetch = (from: bigint, limits: FetchLimits) => Promise<FetchedPartition>

/** The result of `Broker.fetch`, which has the type `any`. */
type FetchAnswer = { responses: { partitions: FetchedPartition[] }[] }

const PARTITION = 0
const READ_COMMITTED = 1

/** The consumer is never connected; its group does not exist. */
const getCluster = (kafka: Kafka): Cluster => {
  const found: Cluster[] = []
  kafka.consumer({
    groupId: 'rollcall-fetch',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (assigning) => {
        found.push(assigning.cluster)
        return roundRobin(assigning)
      },
    ],
  })
  if (!found[0]) throw new Error('kafkajs passed no cluster to the partition assigner')
  return found[0]
}

/** Fetches from the leader of the partition of the topic. Throws after a change of the leader. */
export const openFetch = async (kafka: Kafka, topic: string): Promise<Fetch> => {
  const cluster = getCluster(kafka)
  await cluster.connect()
  await cluster.addTargetTopic(topic)
  const [leader] = Object.keys(cluster.findLeaderForPartitions(topic, [PARTITION]))
  if (leader === undefined) throw new Error(`no broker leads ${topic}`)
  return async (from, { maxBytes, waitMs }) => {
    const broker = await cluster.findBroker({ nodeId: leader })
    const partition = { partition: PARTITION, fetchOffset: String(from), maxBytes }
    const answer: FetchAnswer = await broker.fetch({
      isolationLevel: READ_COMMITTED,
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes,
      topics: [{ topic, partitions: [partition] }],
    })
    const found = answer.responses[0]?.partitions[0]
    if (!found) throw new Error('the broker answered without the partition')
    return found
  }
}
